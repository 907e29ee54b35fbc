#include "tools/sim/scenario/flow_sizes.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace sluice::sim {

namespace {

constexpr int64_t all_of_them = 10'000;

constexpr auto websearch = std::to_array<SizePoint>({
    {0, 0},
    {10'000, 1500},
    {20'000, 2000},
    {30'000, 3000},
    {50'000, 4000},
    {80'000, 5300},
    {200'000, 6000},
    {1'000'000, 7000},
    {2'000'000, 8000},
    {5'000'000, 9000},
    {10'000'000, 9700},
    {30'000'000, all_of_them},
});
constexpr auto hadoop = std::to_array<SizePoint>({
    {0, 0},          {100, 100},        {200, 200},        {300, 500},
    {350, 1500},     {400, 2000},       {500, 3000},       {600, 4000},
    {700, 5000},     {1'000, 6000},     {2'000, 6700},     {7'000, 7000},
    {30'000, 7200},  {50'000, 8200},    {80'000, 8700},    {120'000, 9000},
    {300'000, 9500}, {1'000'000, 9750}, {2'000'000, 9900}, {10'000'000, all_of_them},
});

// Of the messages of 0 to n - 1 octets, summed.
Wide sum_on_wire(int64_t n, int64_t carried, int64_t beside) {
    if (n <= 0) return 0;
    const Wide octets = Wide{n} * (n - 1) / 2;
    // ceil(s / carried) for s up to n - 1.
    const Wide full = (n - 1) / carried;
    const Wide rest = (n - 1) % carried;
    const Wide frames = full * (full + 1) / 2 * carried + rest * (full + 1);
    return octets + frames * beside;
}

}  // namespace

std::span<const SizePoint> websearch_sizes() { return websearch; }
std::span<const SizePoint> hadoop_sizes() { return hadoop; }

Bytes FlowSizes::draw(Random& draws) const {
    if (points_.empty()) return all_;
    const int64_t drawn = int64_t{draws.next()} * all_of_them;  // of 2^32 times that
    const auto scaled = [](const SizePoint& point) { return point.share << 32; };
    const auto above = std::ranges::upper_bound(points_, drawn, {}, scaled);
    const SizePoint& to = *above;
    const SizePoint& from = *std::prev(above);
    const Wide part =
        Wide{to.octets - from.octets} * (drawn - scaled(from)) / (scaled(to) - scaled(from));
    return std::max(Bytes(1), Bytes(from.octets + static_cast<int64_t>(part)));
}

Bytes FlowSizes::mean_on_wire(Bytes carried, Bytes beside) const {
    const int64_t each = carried.count();
    const int64_t more = beside.count();
    if (points_.empty()) return all_ + beside * ((all_.count() + each - 1) / each);
    Wide sum = 0;
    for (std::size_t n = 1; n < points_.size(); ++n) {
        const SizePoint& from = points_[n - 1];
        const SizePoint& to = points_[n];
        sum += (sum_on_wire(to.octets, each, more) - sum_on_wire(from.octets, each, more)) *
               (to.share - from.share) / (to.octets - from.octets);
    }
    return Bytes(static_cast<int64_t>(sum / all_of_them));
}

}  // namespace sluice::sim

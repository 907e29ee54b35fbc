#include "tools/sim/scenario/flow_sizes.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "tools/sim/network/packet.h"
#include "tools/sim/network/source.h"

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

Bytes on_wire_with(Bytes part, Bytes around) {
    return on_wire_of(std::max(Source::shortest_frame, part + around));
}

// Returns the octets on the wire of n frames together, which carry 1, 2, ... n octets.
Wide sum_of_parts(int64_t n, Bytes around) {
    const int64_t padded_up_to = std::max<int64_t>((Source::shortest_frame - around).count(), 0);
    const Wide padded = std::min(n, padded_up_to);
    const Wide others = n - padded;
    return Wide{n} * on_wire_of(around).count() + padded * padded_up_to +
           others * (padded + 1 + n) / 2;
}

// Returns the octets on the wire of n messages together, which have 1, 2, ... n octets.
Wide sum_on_wire(int64_t n, Bytes carried, Bytes around) {
    const Wide each = carried.count();
    const Wide full = n / each;  // full frames of the longest message
    const Wide rest = n % each;
    // Number of full frames before the last frame of each message, in total. Messages of up to
    // `each` octets have none, messages of up to 2 x `each` octets have one, and so on.
    const Wide before = full * (full - 1) / 2 * each + rest * full;
    return before * on_wire_with(carried, around).count() +
           full * sum_of_parts(carried.count(), around) +
           sum_of_parts(static_cast<int64_t>(rest), around);
}

}  // namespace

std::span<const SizePoint> websearch_sizes() { return websearch; }
std::span<const SizePoint> hadoop_sizes() { return hadoop; }

Bytes FlowSizes::draw(Random& random) const {
    if (points_.empty()) return all_;
    // In units of 1 / (2^32 x all_of_them).
    const int64_t drawn = int64_t{random.next()} * all_of_them;
    const auto scaled = [](const SizePoint& point) { return point.share << 32; };
    const auto above = std::ranges::upper_bound(points_, drawn, {}, scaled);
    const SizePoint& to = *above;
    const SizePoint& from = *std::prev(above);
    const Wide part =
        Wide{to.octets - from.octets} * (drawn - scaled(from)) / (scaled(to) - scaled(from));
    return std::max(Bytes(1), Bytes(from.octets + static_cast<int64_t>(part)));
}

// Ignores that `draw` raises a size of 0 octets to 1: with these tables, at most one draw in
// 10,000.
Bytes FlowSizes::mean_on_wire(Bytes carried, Bytes around) const {
    if (points_.empty()) {
        const int64_t before = (all_.count() - 1) / carried.count();
        return on_wire_with(carried, around) * before +
               on_wire_with(all_ - carried * before, around);
    }
    const auto up_to = [&](int64_t octets) {
        return octets == 0 ? Wide{0} : sum_on_wire(octets - 1, carried, around);
    };
    Wide sum = 0;
    for (std::size_t n = 1; n < points_.size(); ++n) {
        const SizePoint& from = points_[n - 1];
        const SizePoint& to = points_[n];
        sum += (up_to(to.octets) - up_to(from.octets)) * (to.share - from.share) /
               (to.octets - from.octets);
    }
    return Bytes(static_cast<int64_t>(sum / all_of_them));
}

}  // namespace sluice::sim

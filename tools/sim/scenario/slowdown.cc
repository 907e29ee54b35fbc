#include "tools/sim/scenario/slowdown.h"

#include <algorithm>
#include <tuple>

namespace sluice::sim {

namespace {

SlowdownPart part_of(Bytes longest, std::vector<double>& slowdowns) {
    std::ranges::sort(slowdowns);
    const auto quantile = [&](std::size_t percent) {
        return slowdowns[(slowdowns.size() * percent + 99) / 100 - 1];
    };
    return {longest, slowdowns.size(), quantile(50), quantile(95), quantile(99)};
}

}  // namespace

SlowdownResult Slowdowns::result() {
    SlowdownResult result{.begun = begun_};
    if (done_.empty()) return result;
    std::ranges::sort(done_, {},
                      [](const Done& done) { return std::tuple(done.size, done.number); });
    const auto of = [&](std::size_t from, std::size_t to) {
        std::vector<double> slowdowns;
        for (std::size_t n = from; n < to; ++n) slowdowns.push_back(done_[n].slowdown);
        return part_of(done_[to - 1].size, slowdowns);
    };
    result.all = of(0, done_.size());
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t from = done_.size() * part / parts;
        const std::size_t to = done_.size() * (part + 1) / parts;
        if (from < to) result.parts.push_back(of(from, to));
    }
    return result;
}

}  // namespace sluice::sim

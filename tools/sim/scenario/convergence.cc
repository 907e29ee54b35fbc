#include "tools/sim/scenario/convergence.h"

#include <algorithm>
#include <ranges>

namespace sluice::sim {

namespace {

// Returns the time after which a flow repeats its load; 1 ps for a flow without a period.
Picos cycle_of(const FlowSpec& spec) {
    const Picos cycle = spec.pattern == Pattern::incast   ? spec.period
                        : spec.pattern == Pattern::pulses ? spec.pace.on + spec.pace.off
                                                          : Picos(0);
    return std::max(cycle, Picos(1));
}

}  // namespace

Convergence::Convergence(const NetworkScenario& scenario) : flows_(scenario.flows.size()) {
    for (std::size_t n = 0; n < scenario.flows.size(); ++n) {
        const FlowSpec& spec = scenario.flows[n];
        if (spec.pattern == Pattern::all_reduce) continue;
        const Picos start = spec.pace.start;
        const Picos end = std::min(picos(scenario.run.time), spec.pace.stop);
        const int64_t cycle = cycle_of(spec).count();
        const int64_t before = std::max(picos(scenario.run.warmup) - start, Picos(0)).count();
        const Picos begin = start + Picos((before + cycle - 1) / cycle * cycle);
        // A frame that is due exactly at the end may not be offered any more.
        const int64_t cycles = (end - begin - Picos(1)).count() / cycle;
        const Picos quarter(cycles / static_cast<int64_t>(quarters) * cycle);
        if (quarter <= Picos(0)) continue;
        flows_[n].wanted = quarters + 1;
        const Bytes longest = spec.pattern == Pattern::transfers ? spec.sizes.longest()
                                                                 : Bytes(spec.flow.mix.longest);
        flows_[n].about_to_leave = longest * static_cast<int64_t>(spec.from.size());
        for (std::size_t look = 0; look <= quarters; ++look) {
            looks_.push_back({begin + quarter * static_cast<int64_t>(look), n});
        }
    }
    std::ranges::stable_sort(looks_, {}, &Look::at);
}

void Convergence::look(const Traffic& traffic) {
    const Picos now = due();
    for (; due() == now; ++next_) {
        const std::size_t flow = looks_[next_].flow;
        flows_[flow].backlogs.push_back(traffic.backlog(flow, now));
    }
}

std::optional<bool> Convergence::carries(std::size_t flow, Bytes left) const {
    const auto& [wanted, backlogs, about_to_leave] = flows_[flow];
    if (backlogs.size() < wanted) return {};
    if (wanted == 0) return true;
    // The backlog need not grow in the first quarter: buffers may still absorb the excess.
    const auto from_the_first = std::ranges::subrange(backlogs.begin() + 1, backlogs.end());
    const bool rises = backlogs[0] <= backlogs[1] &&
                       std::ranges::adjacent_find(from_the_first, std::ranges::greater_equal{}) ==
                           from_the_first.end();
    const Bytes grown = backlogs.back() - backlogs.front();
    return !rises || grown <= std::max(about_to_leave, Bytes(left.count() / 100));
}

}  // namespace sluice::sim

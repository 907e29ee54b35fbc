#include "control/dcbx/scheduling.h"

#include <algorithm>
#include <numeric>

#include "control/dcbx/percent.h"

namespace sluice::dcbx {
namespace {

bool shares(Selection selection) {
    return selection != Selection::strict && selection != Selection::credit_based;
}

// Returns the greatest common divisor of the shares, so that weights, and thus rounds of DWRR, are
// small. If a share is 0, returns 1: the percentages become the weights, and a class with share 0
// gets the least weight.
unsigned common_share(const Ets& ets) {
    unsigned common = 0;
    for (const uint8_t number : ets.class_of) {
        if (!shares(ets.selection[number])) continue;
        if (ets.bandwidth[number] == 0) return 1;
        common = std::gcd(common, unsigned{ets.bandwidth[number]});
    }
    return std::max(common, 1U);
}

}  // namespace

// A class without priorities gets no share.
Ets ets_of(const SchedulerSettings& scheduler) {
    Ets ets;
    ets.class_of = scheduler.traffic_class;
    std::array<unsigned, traffic_classes> weights{};
    for (const uint8_t number : scheduler.traffic_class) {
        if (scheduler.discipline[number] == Discipline::strict) continue;
        ets.selection[number] = Selection::ets;
        weights[number] = scheduler.weight[number];
    }
    ets.bandwidth = in_percent(weights).value_or(PerClass{});
    return ets;
}

SchedulerSettings scheduler_of(const Ets& ets) {
    SchedulerSettings scheduler;
    scheduler.traffic_class = ets.class_of;
    const unsigned common = common_share(ets);
    for (std::size_t number = 0; number < traffic_classes; ++number) {
        if (!shares(ets.selection[number])) continue;
        const unsigned weight = ets.bandwidth[number] / common;
        scheduler.discipline[number] = Discipline::dwrr;
        scheduler.weight[number] = static_cast<uint16_t>(std::max(weight, 1U));
    }
    return scheduler;
}

}  // namespace sluice::dcbx

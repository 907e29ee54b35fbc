#include "control/dcbx/scheduling.h"

#include <algorithm>

#include "control/dcbx/percent.h"

namespace sluice::dcbx {
namespace {

constexpr unsigned weight_of_a_percent = 10;  // weights go to 1000

}  // namespace

// A class without priorities shares nothing.
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
    for (std::size_t number = 0; number < traffic_classes; ++number) {
        const Selection selection = ets.selection[number];
        if (selection == Selection::strict || selection == Selection::credit_based) continue;
        const unsigned weight = ets.bandwidth[number] * weight_of_a_percent;
        scheduler.discipline[number] = Discipline::dwrr;
        scheduler.weight[number] = static_cast<uint16_t>(std::max(weight, 1U));
    }
    return scheduler;
}

}  // namespace sluice::dcbx

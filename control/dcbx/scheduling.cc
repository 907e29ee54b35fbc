#include "control/dcbx/scheduling.h"

#include <algorithm>

#include "control/dcbx/percent.h"

namespace sluice::dcbx {
namespace {

constexpr unsigned weight_of_a_percent = 10;  // weights go to 1000

}  // namespace

Ets ets_of(const SchedulerSettings& scheduler) {
    Ets ets;
    std::array<unsigned, traffic_classes> weights{};
    for (uint8_t priority = 0; priority < max_priorities; ++priority) {
        ets.class_of[priority] = priority;
        if (scheduler.discipline[priority] == Discipline::strict) continue;
        ets.selection[priority] = Selection::ets;
        weights[priority] = scheduler.weight[priority];
    }
    ets.bandwidth = in_percent(weights).value_or(PerClass{});
    return ets;
}

SchedulerSettings scheduler_of(const Ets& ets) {
    SchedulerSettings scheduler;
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        const uint8_t number = ets.class_of[priority];
        const Selection selection = ets.selection[number];
        if (selection == Selection::strict || selection == Selection::credit_based) continue;
        const auto members = static_cast<unsigned>(std::ranges::count(ets.class_of, number));
        const unsigned weight = ets.bandwidth[number] * weight_of_a_percent / members;
        scheduler.discipline[priority] = Discipline::dwrr;
        scheduler.weight[priority] = static_cast<uint16_t>(std::max(weight, 1U));
    }
    return scheduler;
}

}  // namespace sluice::dcbx

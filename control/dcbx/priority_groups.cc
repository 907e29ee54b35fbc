#include "control/dcbx/priority_groups.h"

namespace sluice::dcbx {
namespace {

constexpr uint8_t lower_credit_based = 13;
constexpr uint8_t upper_credit_based = 14;
constexpr uint8_t strict_group = 15;

bool is_group(uint8_t number, CreditBasedGroups credit_based) {
    if (number < traffic_classes || number == strict_group) return true;
    return credit_based == CreditBasedGroups::two && number >= lower_credit_based;
}

// The highest class that no priority is in, with no bandwidth if one can be had.
uint8_t free_class(const std::array<bool, traffic_classes>& taken, const PerClass& bandwidth) {
    uint8_t found = 0;
    for (uint8_t index = 0; index < traffic_classes; ++index) {
        if (!taken[index]) found = index;
    }
    for (uint8_t index = 0; index < traffic_classes; ++index) {
        if (!taken[index] && bandwidth[index] == 0) found = index;
    }
    return found;
}

}  // namespace

std::optional<Ets> read_groups(const PriorityGroups& groups, CreditBasedGroups credit_based,
                               FaultCounters& faults) {
    Ets ets{.bandwidth = groups.bandwidth};
    std::array<bool, traffic_classes> taken{};
    for (const uint8_t group : groups.group_of) {
        if (!is_group(group, credit_based)) {
            faults.count(Fault::traffic_class);
            return std::nullopt;
        }
        if (group < traffic_classes) taken[group] = true;
    }
    if (sum(groups.bandwidth) != 100) {
        faults.count(Fault::bandwidth);
        return std::nullopt;
    }
    for (std::size_t index = 0; index < traffic_classes; ++index) {
        if (taken[index] || groups.bandwidth[index] > 0) ets.selection[index] = Selection::ets;
    }
    std::array<std::optional<uint8_t>, strict_group + 1> special;
    for (uint8_t group = strict_group; group >= lower_credit_based; --group) {
        for (const uint8_t used : groups.group_of) {
            if (used != group || special[group]) continue;
            const uint8_t place = free_class(taken, groups.bandwidth);
            special[group] = place;
            taken[place] = true;
            ets.selection[place] =
                group == strict_group ? Selection::strict : Selection::credit_based;
        }
    }
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        const uint8_t group = groups.group_of[priority];
        ets.class_of[priority] = group < traffic_classes ? group : *special[group];
    }
    return ets;
}

PriorityGroups write_groups(const Ets& ets, CreditBasedGroups credit_based) {
    PriorityGroups groups{.bandwidth = make_hundred(ets.bandwidth)};
    // The highest credit-based class is the upper group, all others the lower.
    std::optional<uint8_t> upper;
    for (const uint8_t number : ets.class_of) {
        const bool credit = ets.selection[number] == Selection::credit_based;
        if (credit && (!upper || number > *upper)) upper = number;
    }
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        const uint8_t number = ets.class_of[priority];
        switch (ets.selection[number]) {
            case Selection::strict:
                groups.group_of[priority] = strict_group;
                break;
            case Selection::credit_based:
                if (credit_based == CreditBasedGroups::none) {
                    groups.group_of[priority] = strict_group;
                } else {
                    groups.group_of[priority] =
                        number == upper ? upper_credit_based : lower_credit_based;
                }
                break;
            case Selection::ets:
            case Selection::vendor:
                groups.group_of[priority] = number;
                break;
        }
    }
    return groups;
}

PerClass make_hundred(PerClass bandwidth) {
    if (sum(bandwidth) == 0) bandwidth[0] = 100;
    return bandwidth;
}

}  // namespace sluice::dcbx

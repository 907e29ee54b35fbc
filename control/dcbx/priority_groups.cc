#include "control/dcbx/priority_groups.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace sluice::dcbx {
namespace {

constexpr uint8_t lower_credit_based = 13;
constexpr uint8_t upper_credit_based = 14;
constexpr uint8_t strict_group = 15;

bool is_group(uint8_t number, CreditBasedGroups credit_based) {
    if (number < traffic_classes || number == strict_group) return true;
    return credit_based == CreditBasedGroups::two && number >= lower_credit_based;
}

// Returns the highest classes without priorities, preferably without bandwidth. They are sorted, so
// that the order of their groups is kept.
std::vector<uint8_t> free_classes(const std::array<bool, traffic_classes>& taken,
                                  const PerClass& bandwidth, std::size_t count) {
    std::vector<uint8_t> found;
    for (uint8_t index = traffic_classes; index-- > 0;) {
        if (!taken[index]) found.push_back(index);
    }
    std::ranges::stable_partition(found, [&](uint8_t index) { return bandwidth[index] == 0; });
    found.resize(count);
    std::ranges::sort(found, std::greater());
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
    std::vector<uint8_t> used;  // those of the groups 15, 14 and 13 that have priorities
    for (uint8_t group = strict_group; group >= lower_credit_based; --group) {
        if (std::ranges::count(groups.group_of, group) > 0) used.push_back(group);
    }
    const auto places = free_classes(taken, groups.bandwidth, used.size());
    std::array<uint8_t, strict_group + 1> class_of_group{0, 1, 2, 3, 4, 5, 6, 7};
    for (std::size_t index = 0; index < used.size(); ++index) {
        class_of_group[used[index]] = places[index];
        ets.selection[places[index]] =
            used[index] == strict_group ? Selection::strict : Selection::credit_based;
    }
    for (std::size_t priority = 0; priority < max_priorities; ++priority) {
        ets.class_of[priority] = class_of_group[groups.group_of[priority]];
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

// PriorityGroups: the form of ETS in 0409v3 and CEE. Each priority is in a group: 0 to 7 share
// bandwidth, 15 is strict; with 0409v3, 13 and 14 are credit-based (AVB).
//
// Reading: a group of 0 to 7 becomes the class of its number; groups 15, 14 and 13, if used, become
// the highest classes without priorities, preferably without bandwidth, in that order. There are
// always enough such classes, because there are as many classes as priorities. Writing: every
// strict class becomes 15, so the order among several strict classes is lost.
#pragma once

#include <optional>

#include "control/dcbx/fault.h"
#include "control/dcbx/tables.h"

namespace sluice::dcbx {

enum class CreditBasedGroups : uint8_t { none, two };  // CEE, 0409v3

struct PriorityGroups {
    PerPriority group_of = {};
    PerClass bandwidth = {};
};

// Returns empty, and counts the fault, if a group is invalid or the sum is not 100.
std::optional<Ets> read_groups(const PriorityGroups& groups, CreditBasedGroups credit_based,
                               FaultCounters& faults);
PriorityGroups write_groups(const Ets& ets, CreditBasedGroups credit_based);

// Returns percentages that sum up to 100, as a frame requires. If all are 0, because the port
// serves by strict priority alone, the first class gets 100.
PerClass make_hundred(PerClass bandwidth);

}  // namespace sluice::dcbx

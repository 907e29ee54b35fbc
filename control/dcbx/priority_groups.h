// PriorityGroups: how 0409v3 and CEE say ETS: each priority in a group of 0 to 7 that shares
// bandwidth, or 15, strict, or with 0409v3 13 and 14, credit-based (AVB).
//
// Read into traffic classes: a group becomes the class of its number, and those of 15, 14 and 13
// that are used become the highest classes that no priority is in, preferably without bandwidth, in
// that order. There are always enough, since there are as many classes as priorities. Written,
// every strict class becomes 15, so the order among several of them is lost.
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

// Nothing, with the fault counted, for a group that is none or a sum that is not 100.
std::optional<Ets> read_groups(const PriorityGroups& groups, CreditBasedGroups credit_based,
                               FaultCounters& faults);
PriorityGroups write_groups(const Ets& ets, CreditBasedGroups credit_based);

// A port that serves by strict priority alone has no percentages, but what is sent must make 100.
PerClass make_hundred(PerClass bandwidth);

}  // namespace sluice::dcbx

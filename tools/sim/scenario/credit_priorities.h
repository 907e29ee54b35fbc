// CreditPriorities: that a frame which comes from a switch into a lossless priority of a port by
// credit has come on the credit of that priority.
//
// A switch spends the credit of the priority that it gave the frame, a host that of the priority
// that this very port gives it. A port that takes the frame to another lossless priority has no
// place kept for it there.
// All that could be sent is looked at, whether a flow sends it or not: each PCP and no tag, with
// IPv4 and without, and what the ports remark.
// Bound: a lookup for each of these, each credit cable and each input of the switch that sends.
#pragma once

#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// The first fault alone, where `file` has its switches.
void check_credit_priorities(const NetworkScenario& scenario, Fields& file);

}  // namespace sluice::sim

// CreditPriorities: checks that a frame from a switch, which a port with credit maps to a lossless
// priority, was sent with the credit of that priority.
//
// A switch uses the credit of the priority that it gave the frame; a host uses the credit of the
// priority that this port will give the frame. If a port maps the frame to another lossless
// priority, no buffer is reserved for it there.
// All possible frames are checked, whether a flow sends them or not: each PCP and no tag, with IPv4
// and without, and each DSCP that ports write when they remark.
// Bound: a lookup for each of these, each cable with credit, and each input of the sending switch.
#pragma once

#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// Reports only the first fault, at the switches in `file`.
void check_credit_priorities(const NetworkScenario& scenario, Fields& file);

}  // namespace sluice::sim

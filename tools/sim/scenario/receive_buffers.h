// The receive buffers of hosts that take what they received at a rate of their own: sizes that the
// file does not write, and faults of those that it does.
#pragma once

#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// Once the switches are known. Faults stand at `peers`.
void use_receive_buffers(NetworkScenario& scenario, Fields& file);

}  // namespace sluice::sim

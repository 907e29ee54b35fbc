// The receive buffers of hosts that take what they received at a rate of their own: sizes that the
// file does not write, and faults of those that it does.
//
// Unwritten, `low` is what comes in a round trip, `high` 32 of the longest frames above it, and the
// buffer a round trip above that: those of an RC Link.
#pragma once

#include "dataplane/types/units.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// In place of a size of ReceiveSettings.
inline constexpr Bytes not_written{-1};

// Once the switches are known. Faults stand at `peers`.
void use_receive_buffers(NetworkScenario& scenario, Fields& file);

}  // namespace sluice::sim

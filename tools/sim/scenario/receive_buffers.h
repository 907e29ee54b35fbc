// The receive buffers of hosts that take received frames at a rate of their own: default sizes, and
// checks of sizes in the file.
//
// By default `low` is what arrives in a round trip, `high` is 32 longest frames above `low`, and
// the buffer a round trip above `high`, as in an RC Link.
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

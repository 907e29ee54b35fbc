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

// Stands for a size in ReceiveSettings that the file does not give.
inline constexpr Bytes not_written{-1};

// Sets the hosts' receive buffers, once the switches are known. Faults are reported at `peers`.
void use_receive_buffers(NetworkScenario& scenario, Fields& file);

}  // namespace sluice::sim

// Receive buffers: default sizes and checks for hosts that take received frames at their own rate.
//
// By default `low` is the octets that arrive in a round trip, `high` is 32 longest frames above
// `low`, and the buffer is one round trip above `high`, as in an RC Link.
#pragma once

#include "dataplane/types/units.h"
#include "tools/sim/scenario/fields.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// Value of a size in ReceiveSettings that is not in the file.
inline constexpr Bytes not_written{-1};

// Sets the hosts' receive buffers. Call it when the switches are known. Faults are reported at
// `peers`.
void use_receive_buffers(NetworkScenario& scenario, Fields& file);

}  // namespace sluice::sim

// Pause relays: reads pairs of ports of a switch between which pauses are relayed: the pauses of
// one port's peer are sent to the other port's peer (dataplane/pfc/pause_relay.h). One port
// of a pair stands for a tunnel, and its cable is as long as the WAN; the other stands for the port
// to a gateway. All priorities that are lossless at both ports are relayed.
#pragma once

#include <vector>

#include "tools/sim/scenario/layout.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// Reads the relays. The switches must have their other settings already.
void read_relays(const std::vector<SwitchDraft>& drafts, std::vector<SwitchSpec>& switches);

}  // namespace sluice::sim

// Pause relays: two ports of a switch, of which what the peer of one pauses is relayed to the peer
// of the other (dataplane/pfc/pause_relay.h): in place of a tunnel and the port to a gateway, where
// the cable of one of them is as long as the WAN. In all priorities that are lossless at both.
#pragma once

#include <vector>

#include "tools/sim/scenario/layout.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

// Of switches that have their other settings.
void read_relays(const std::vector<SwitchDraft>& drafts, std::vector<SwitchSpec>& switches);

}  // namespace sluice::sim

// Capability: checks whether the peer is capable of the PFC in force on a port. Capabilities are
// sent but not negotiated, so an agreement may exceed one end's capabilities; that is reported as a
// mismatch.
//
// For PFC, the peer advertises how many traffic classes may have PFC at a time. Its ETS shows which
// priorities share a class; without ETS each priority counts as a class. A peer with PFC off is not
// compared.
// Bound: eight priorities.
// Follows 802.1Q-2014 D.2.10.5.
#pragma once

#include "control/dcbx/model.h"

namespace sluice::dcbx {

bool can_pause(const Advertisement& peer, PrioritySet enabled);

}  // namespace sluice::dcbx

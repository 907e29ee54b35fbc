// Capability: whether the peer is able to do what holds on a port. Capabilities are sent and never
// negotiated, so what was agreed on may be more than one end can do; that is reported as a
// mismatch.
//
// For PFC: the peer says for how many traffic classes at a time it can do PFC. Which priorities
// share a class is said by its ETS; without ETS each priority counts as a class. A peer that has
// PFC off is not compared.
// Bound: eight priorities.
// Follows 802.1Q-2014 D.2.10.5.
#pragma once

#include "control/dcbx/model.h"

namespace sluice::dcbx {

bool can_pause(const Advertisement& peer, PrioritySet enabled);

}  // namespace sluice::dcbx

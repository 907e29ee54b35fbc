// Capability: whether a peer can do what holds on a port. What a port is capable of is told, never
// negotiated, so a port may follow its peer, or have its peer follow it, beyond that: it is a
// mismatch then.
//
// PFC: as many traffic classes at a time as the peer says; its ETS says which class a priority is
// in, and without one each is in its own. Nothing to say of a peer that has PFC off.
// Follows 802.1Q-2014 D.2.10.5.
#pragma once

#include "control/dcbx/model.h"

namespace sluice::dcbx {

bool can_pause(const Advertisement& peer, PrioritySet enabled);

}  // namespace sluice::dcbx

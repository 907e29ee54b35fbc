// Hold: which priorities a port sends nothing of, since its peer would discard it: 0409v3 lets a
// port delay frames until it detects that the defences of its peer are off (DefOn is 0).
//
// Held is a priority in which this port has PFC while its peer says nothing of PFC, or says that
// its defences are on. A peer without DefOn in its TLV has none, nor has one in a priority where it
// has no PFC: DefOn is reserved there.
// Bound: eight bits; the answer follows from the last frame alone, so a peer that is gone holds
// again. Not done here: keeping frames of LLDP out of it; those pass no queue.
// Follows 0409v3, "defense option", last point of the overview.
#pragma once

#include <optional>

#include "control/dcbx/protocol.h"
#include "dataplane/types/limits.h"

namespace sluice::dcbx {

inline PrioritySet held_for_peer(PrioritySet oper_param, const std::optional<Offered<Pfc>>& peer) {
    if (!peer) return oper_param;
    return oper_param & defences_of(peer).value_or(0);
}

}  // namespace sluice::dcbx

// Hold: the priorities that a port does not send, since its peer would discard their frames: 0409v3
// lets a port delay frames until it detects that the defences of its peer are off (DefOn is 0).
//
// A priority is held while this port has PFC for it, and the peer sends no PFC TLV or reports that
// its defences are on. A peer without DefOn in its TLV has no defences, and no peer has defences
// for a priority without PFC: DefOn is reserved there.
// Bound: eight bits; the answer follows from the last frame alone, so priorities are held again
// when the peer is gone. LLDP needs no exemption: LLDP frames pass no queue.
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

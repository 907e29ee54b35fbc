// DCBX's defence (az-pelissier-dcbx-framework-0409v3): whether a frame is discarded because its
// priority is lossless and the peer does not pause that priority. An untagged BPDU is never
// discarded, or a loop could stay unseen.
#pragma once

#include "dataplane/ingress/tagging.h"
#include "dataplane/types/address.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/settings.h"

namespace sluice {

inline bool is_kept_out(const Frame& frame, MacAddress destination, const PortSettings& port) {
    if ((port.dcbx_defence & only_priority(frame.priority)) == 0) return false;
    return !destination.is_reserved() || form_of_tag(frame, port.tagging).tagged;
}

}  // namespace sluice

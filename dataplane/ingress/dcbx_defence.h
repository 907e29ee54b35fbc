// DCBX defence (az-pelissier-dcbx-framework-0409v3): decides whether a frame is dropped because its
// priority is lossless here and the peer does not pause that priority. An untagged BPDU is not
// dropped, as a loop could then stay undetected.
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

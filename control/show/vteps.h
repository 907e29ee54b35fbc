// VtepsSnapshot: the VTEPs of point-to-multipoint tunnels (dataplane/tunnel/vteps.h), and the
// traffic to and from each, as JSON: the noun `vteps` (control/nouns.md lists its keys).
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json vteps_snapshot(const View& view, bool all);
// Returns the VTEP to which the port sends a frame of a VLAN for a station; `all` for a flood; null
// if the port's tunnel has a single other end, or carries no such frame.
Json vtep_for(const View& view, PortIndex output, VlanId vlan, MacAddress destination);
// Returns the VNI in which the port sends a frame of a VLAN; null if it sends the frame in none.
Json vni_for(const View& view, PortIndex output, VlanId vlan);

}  // namespace sluice::control

// VtepsSnapshot: the VTEPs of tunnels to many (dataplane/tunnel/vteps.h), and the traffic to and
// from each, as JSON: the noun `vteps` (README.md of control lists its keys).
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json vteps_snapshot(const View& view, bool all);
// The VTEP to which that port sends a frame of a VLAN for a station; `all` for a flood; null if the
// port's tunnel has one other end, or carries no such frame.
Json vtep_for(const View& view, PortIndex output, VlanId vlan, MacAddress destination);
// The VNI that a frame of a VLAN goes by at that port; null: by none.
Json vni_for(const View& view, PortIndex output, VlanId vlan);

}  // namespace sluice::control

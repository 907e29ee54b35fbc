// VlanSnapshot: VLANs, their names and members, as JSON: the noun `vlan`. A VLAN that is as most
// are, and has no name, is left out.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json vlan_snapshot(const View& view, bool all);

}  // namespace sluice::control

// VlanSnapshot: VLANs, their names and members, as JSON: the noun `vlan`. A VLAN without a name and
// with default settings is left out.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json vlan_snapshot(const View& view, bool all);

}  // namespace sluice::control

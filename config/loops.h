// Loops: what a configuration alone says of ports by which frames may go round: trunks that share a
// VLAN, where nothing would notice a loop.
//
// Whether they lead to the same network no file says: this is advice (advice.h), and no fault.
// Bound: ports x VLANs.
#pragma once

#include <string>
#include <vector>

#include "config/configuration.h"

namespace sluice::config {

// A line for people each; none where nothing is to be said.
std::vector<std::string> advice_on_loops(const Configuration& configuration);

// A VLAN whose frames would go round if both bridge ports led to the same bridge, where nothing
// would notice: no spanning tree, no aggregation, no loop guard that shuts. 0: none.
VlanId unwatched_vlan(const Configuration& configuration, PortIndex one, PortIndex other);

}  // namespace sluice::config

// Loops: finds, from a configuration alone, ports between which frames may loop undetected: trunks
// that share a VLAN.
//
// A file does not tell whether they lead to the same network, so this is advice (advice.h), not a
// fault.
// Bound: ports x VLANs.
#pragma once

#include <string>
#include <vector>

#include "config/configuration.h"

namespace sluice::config {

// A line for people each; none where nothing is to be said.
std::vector<std::string> advice_on_loops(const Configuration& configuration);

// A VLAN in which frames would loop if both bridge ports led to the same bridge, and nothing would
// detect it: no spanning tree, no aggregation, no loop guard that shuts. 0: none.
VlanId unwatched_vlan(const Configuration& configuration, PortIndex one, PortIndex other);

}  // namespace sluice::config

// Loops: finds, from a configuration alone, ports between which frames may loop undetected: trunks
// that share a VLAN.
//
// A file does not tell whether the ports lead to the same network, so this is advice (advice.h),
// not a fault.
// Bound: ports x VLANs.
#pragma once

#include <string>
#include <vector>

#include "config/configuration.h"

namespace sluice::config {

// Returns the pieces of advice, one line each, for people to read; empty if there is none.
std::vector<std::string> advice_on_loops(const Configuration& configuration);

// Returns a VLAN in which frames would loop undetected if both bridge ports led to the same bridge;
// 0 if there is none. A spanning tree, a common aggregation, or a loop guard that shuts ports
// prevents such a loop.
VlanId unwatched_vlan(const Configuration& configuration, PortIndex one, PortIndex other);

}  // namespace sluice::config

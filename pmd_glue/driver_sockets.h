// Driver sockets: finds the packet sockets that DPDK's drivers opened in this process, which DPDK
// has no call for: so that what the kernel dropped at them can be counted. XDP sockets:
// xdp/sockets.h.
#pragma once

#include <vector>

namespace sluice::pmd {

// By their descriptors.
std::vector<int> driver_sockets();

}  // namespace sluice::pmd

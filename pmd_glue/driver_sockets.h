// Driver sockets: the packet sockets of this process that drivers receive by, which they do not
// tell. XDP sockets: xdp/sockets.h.
#pragma once

#include <vector>

namespace sluice::pmd {

// By their descriptors.
std::vector<int> driver_sockets();

}  // namespace sluice::pmd

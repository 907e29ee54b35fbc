// Driver sockets: those of this process that drivers receive by, which they do not tell.
#pragma once

#include <vector>

namespace sluice::pmd {

// Packet sockets and XDP sockets, by their descriptors.
std::vector<int> driver_sockets();

}  // namespace sluice::pmd

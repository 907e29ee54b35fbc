// Offloads: lists, by ethtool's names, the offloads that make a kernel interface deliver frames
// other than those on the wire. They are queried by SIOCETHTOOL, since no file has them. With
// another root than this machine's, they are read from the file /ethtool/NAME, one name a line.
#pragma once

#include <string>
#include <vector>

#include "tools/sluice/doctor/machine.h"

namespace sluice::cli {

// Returns which of gro, lro and rxvlan are on.
std::vector<std::string> offloads_of(const Machine& machine, const std::string& interface);

}  // namespace sluice::cli

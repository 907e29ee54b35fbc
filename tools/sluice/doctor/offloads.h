// Offloads: the offloads by which a kernel interface hands over frames that were never on a wire,
// by ethtool's names. They are queried from the interface itself (SIOCETHTOOL), since no file has
// them; with another root than this machine's they are read from the file /ethtool/NAME, one a
// line.
#pragma once

#include <string>
#include <vector>

#include "tools/sluice/doctor/machine.h"

namespace sluice::cli {

// Returns those of gro, lro and rxvlan that are on.
std::vector<std::string> offloads_of(const Machine& machine, const std::string& interface);

}  // namespace sluice::cli

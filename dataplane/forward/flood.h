// Flood: the outputs of a frame whose destination is a group, or not known: every member of its
// VLAN that has link, but the port it came from. By reference: the octets are not copied, each
// output's queue holds the same buffer.
// Bound: three instructions. Storm control is not done here.
#pragma once

#include "dataplane/types/limits.h"

namespace sluice {

constexpr PortSet flood_outputs(PortSet members, PortSet links, PortIndex input) {
    return members & links & ~only(input);
}

}  // namespace sluice

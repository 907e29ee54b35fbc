// Flood: the outputs of a frame whose destination is a group or unknown: every member of its VLAN
// that has link, except the port that it came from. The octets are not copied: each output's queue
// holds a reference to the same buffer.
// Bound: three instructions. Not done here: storm control.
#pragma once

#include "dataplane/types/limits.h"

namespace sluice {

constexpr PortSet flood_outputs(PortSet members, PortSet links, PortIndex input) {
    return members & links & ~only(input);
}

}  // namespace sluice

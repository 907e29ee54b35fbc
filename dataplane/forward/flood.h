// Flood: computes the outputs of a frame to a group or to an unknown station: every member of its
// VLAN that has link, except the port that received it. The octets are not copied: each output's
// queue holds a reference to the same buffer.
// Bound: three instructions. Not here: storm control.
#pragma once

#include "dataplane/types/limits.h"

namespace sluice {

constexpr PortSet flood_outputs(PortSet members, PortSet links, PortIndex input) {
    return members & links & ~only(input);
}

}  // namespace sluice

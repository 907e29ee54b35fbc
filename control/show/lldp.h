// LldpSnapshot: LLDP of each port as JSON, the local system and its neighbours: the noun `lldp`
// (control/nouns.md lists its keys).
//
// Text from neighbours is made safe to display (lldp/text.h): printable UTF-8, the rest as \xNN.
// Keys of optional TLVs that a neighbour does not send are null.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json lldp_snapshot(const View& view, bool all);

}  // namespace sluice::control

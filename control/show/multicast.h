// MulticastSnapshot: known multicast groups, the ports that joined them, and router ports, as
// JSON: the noun `multicast` (control/nouns.md lists its keys).
// Bound: looks at every slot of the group table, and at every VLAN.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json multicast_snapshot(const View& view, bool all);

}  // namespace sluice::control

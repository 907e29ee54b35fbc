// MulticastSnapshot: which groups are known, who listens, and where routers are: the noun
// `multicast` (nouns.h), as snapshot.h has them.
// Bound: looks at every place for a group, and at every VLAN.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json multicast_snapshot(const View& view, bool all);

}  // namespace sluice::control

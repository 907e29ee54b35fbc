// Recommend: computes the bandwidths that a port recommends to a peer with groups of its own
// (0409v3, whose recommendation has percentages and no assignment).
//
// Each of the port's classes spreads its bandwidth evenly over its priorities, and a group of the
// peer gets the sum over its priorities, in percent of the total of all shared groups; the largest
// remainders are rounded up. Returns empty, so that there is no recommendation yet, if the peer
// shares no bandwidth, or if this port has no bandwidth for the priorities in the peer's shared
// groups.
#pragma once

#include <optional>

#include "control/dcbx/model.h"

namespace sluice::dcbx {

std::optional<PerClass> recommended_bandwidth(const Ets& local, const Ets& peer);

}  // namespace sluice::dcbx

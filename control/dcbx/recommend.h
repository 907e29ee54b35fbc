// Recommend: the bandwidths that a port recommends to a peer that has groups of its own (0409v3,
// whose recommendation has percentages and no assignment).
//
// Each of the port's classes spreads its bandwidth evenly over its priorities, and a group of the
// peer's gets what its priorities have, in percent of all that is shared there; the largest
// remainders are rounded up. Nothing if the peer shares nothing, or nothing of it here: then there
// is nothing to recommend yet.
#pragma once

#include <optional>

#include "control/dcbx/model.h"

namespace sluice::dcbx {

std::optional<PerClass> recommended_bandwidth(const Ets& local, const Ets& peer);

}  // namespace sluice::dcbx

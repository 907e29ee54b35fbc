// TunnelsSnapshot: where tunnels lead and what passed, and what came to the ports below them, as
// JSON: the noun `tunnels`. The keys are in README.md.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json tunnels_snapshot(const View& view, bool all);

}  // namespace sluice::control

// TunnelsSnapshot: the tunnels, the ports that they go over (underlays), and what passed through
// them or was refused, as JSON: the noun `tunnels` (README.md of control lists its keys).
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json tunnels_snapshot(const View& view, bool all);

}  // namespace sluice::control

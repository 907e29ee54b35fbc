// TunnelsSnapshot: the tunnels, the ports that carry them (underlays), and the frames that passed
// through them or were refused, as JSON: the noun `tunnels` (control/nouns.md lists its keys).
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json tunnels_snapshot(const View& view, bool all);

}  // namespace sluice::control

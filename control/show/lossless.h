// LosslessSnapshot: pauses and the buffer of a running switch as JSON: the nouns `pfc` and
// `buffer`, and the part of `ports` about devices that take no frames (control/nouns.md lists the
// keys).
// Bound: ports times priorities; `pfc` looks at every port for each of them, for the causes of
// pauses.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json pfc_snapshot(const View& view, bool all);
Json buffer_snapshot(const View& view, bool all);
// Returns the keys about stalls of the device, to add to the row of a port.
Json stalls_of(const View& view, PortIndex port);

}  // namespace sluice::control

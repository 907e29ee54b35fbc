// VtepsSnapshot: the VTEPs of tunnels that lead to many (dataplane/tunnel/vteps.h), and what passed
// to and from each, as JSON: the noun `vteps` (README.md of control lists its keys).
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json vteps_snapshot(const View& view, bool all);
// The VTEP that a frame for a station goes to by that port, `all`, or null where it leads to one.
Json vtep_for(const View& view, PortIndex output, MacAddress destination);

}  // namespace sluice::control

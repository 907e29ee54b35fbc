// DcbxSnapshot: what each port and its peer tell each other by DCBX, a feature a row, as JSON: the
// noun `dcbx`. The keys are in README.md.
//
// Nothing of it is text of the peer's. A port where DCBX is disabled has no row.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json dcbx_snapshot(const View& view, bool all);

}  // namespace sluice::control

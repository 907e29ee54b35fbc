// DcbxSnapshot: what each port and its peer advertise by DCBX, one row for each port and feature,
// as JSON: the noun `dcbx` (control/nouns.md lists its keys).
//
// It holds no text that the peer sent. A port with DCBX disabled has no row.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json dcbx_snapshot(const View& view, bool all);

}  // namespace sluice::control

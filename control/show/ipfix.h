// The noun `ipfix`: what is exported by IPFIX, to whom, and what was lost on the way (README.md of
// control lists the keys).
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json ipfix_snapshot(const View& view, bool all);

}  // namespace sluice::control

// The noun `ipfix`: the statistics exported by IPFIX, the collectors, and losses (control/nouns.md
// lists the keys).
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json ipfix_snapshot(const View& view, bool all);

}  // namespace sluice::control

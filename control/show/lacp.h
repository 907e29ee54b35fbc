// LacpSnapshot: what members of aggregations and their partners say by LACP, as JSON: the noun
// `lacp`. The keys are in README.md.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json lacp_snapshot(const View& view, bool all);

}  // namespace sluice::control

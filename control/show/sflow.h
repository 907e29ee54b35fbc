// SflowSnapshot: what collectors are told, and how much of it, as JSON: the noun `sflow`. The keys
// are in README.md.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json sflow_snapshot(const View& view, bool all);

}  // namespace sluice::control

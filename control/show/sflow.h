// SflowSnapshot: samples sent to sFlow collectors, and losses, as JSON: the noun `sflow`
// (control/nouns.md lists its keys).
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json sflow_snapshot(const View& view, bool all);

}  // namespace sluice::control

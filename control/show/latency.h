// Latency: how long frames were in the switch, by priority, of those that were timed
// (dataplane/latency/latency.h): workers added up, and what is worked out of the buckets.
// Not done here: timing.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json latency_snapshot(const View& view, bool all);

// Sets mean and percentiles of a row of `priorities` from its buckets. A percentile is the bound of
// its bucket, so it is up to a quarter more than what was.
void summarise_waits(Json& row);
// Of such a row, what came after `before`.
void subtract_waits(Json& row, const Json& before);

}  // namespace sluice::control

// LatencySnapshot: the time that sampled frames spent in the switch, by priority, as JSON (noun
// `latency`). Adds up the histograms of all workers and computes percentiles.
// Not done here: measuring the times (dataplane/latency).
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json latency_snapshot(const View& view, bool all);

// Sets mean and percentiles of a row of `priorities` from its buckets, in ns. A percentile is the
// upper bound of its bucket, so up to a quarter above the true value.
void summarise_waits(Json& row);
// Subtracts an earlier value of the same row, so that `row` covers the time since then.
void subtract_waits(Json& row, const Json& before);

}  // namespace sluice::control

// QueuesSnapshot: what waits for outputs, and what became of it, as JSON: the noun `queues`, and
// what of it belongs to a port.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json queues_snapshot(const View& view, bool all);
// Frames for a port that were cut short where they would have been dropped, and those of them that
// were dropped after all (dataplane/trim/trimmer.h).
Json trims_of(const View& view, PortIndex output);

}  // namespace sluice::control

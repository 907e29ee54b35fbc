// QueuesSnapshot: frames that wait for outputs, and counts of frames by outcome, as JSON: the noun
// `queues`, and the part of it that belongs to a port.
#pragma once

#include "control/show/snapshot.h"

namespace sluice::control {

Json queues_snapshot(const View& view, bool all);
// Returns the counts of frames for a port that were trimmed in place of a drop, and of the frames
// among them that were dropped nevertheless (dataplane/trim/trimmer.h).
Json trims_of(const View& view, PortIndex output);

}  // namespace sluice::control

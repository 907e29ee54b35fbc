// Trace report: what traced frames met, as JSON. The keys are a promise to scripts; README.md of
// control lists them.
//
// What waits still is told as of now.
// Bound: what a TraceBoard holds.
#pragma once

#include <string_view>
#include <vector>

#include "control/show/snapshot.h"
#include "control/trace/session.h"

namespace sluice::control {

Json trace_report(const View& view, TraceSession::End end,
                  const std::vector<TraceSession::One>& frames);

// What a frame meets until its outputs are known; what-if tells that likewise.
Json way_in_json(const View& view, const TracedFrame& frame);
std::string_view edit_name(TagEdit edit);

}  // namespace sluice::control

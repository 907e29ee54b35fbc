// Trace report: the records of traced frames as JSON. Scripts rely on the keys; README.md of
// control lists them.
//
// Frames that still wait are reported as of now.
// Bound: what a TraceBoard holds (dataplane/trace/trace_board.h).
#pragma once

#include <string_view>
#include <vector>

#include "control/show/snapshot.h"
#include "control/trace/session.h"

namespace sluice::control {

Json trace_report(const View& view, TraceSession::End end,
                  const std::vector<TraceSession::Traced>& frames);

// Returns the keys of a frame from its arrival until its outputs are known; what_if_report.h has
// the same keys.
Json way_in_json(const View& view, const TracedFrame& frame);
std::string_view edit_name(TagEdit edit);

}  // namespace sluice::control

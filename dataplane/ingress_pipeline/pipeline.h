// The ingress pipeline: one burst on its way in, in three walks over it:
//   examine   parse, what ends at the port, tags, priority
//   forward   may it enter, is its source learned, which outputs
//   queue     admit it to its VOQ, or past it to an egress queue, one copy an output
// pipeline.cc reads in that order. What few bursts ask for is a step in a file of its own: credit,
// a port's guard, questions for neighbours, observers; the slow path, of frames that ask for more
// than most switches have set or that are too long for some output; copies. Where frames of the
// burst are traced, the last two walks run as instances of their own, which report to the tracer as
// well (trace/tracer.h).
// Each walk is a function of its own: the processor's registers are just enough for one, and what a
// walk asks of memory is there when the next one needs it.
// Bound: O(1) a frame, O(outputs) a frame that goes to several.
// Not done here: what a burst means for its worker (shard.h).
#pragma once

#include <span>

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/types/frame.h"

namespace sluice {

// At most max_burst frames. `arrivals`: also reports to the crossbar the VOQ of the last frame, by
// its lowest output, whose VOQ holds any.
void run_ingress_pipeline(IngressContext& context, std::span<Frame> burst, bool arrivals);

}  // namespace sluice

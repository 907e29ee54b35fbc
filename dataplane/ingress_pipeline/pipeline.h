// The ingress pipeline: one burst on its way in, in three walks over it:
//   examine   parse, frames that end at the port, tags, priority
//   forward   admission to the VLAN, learning, outputs
//   queue     admission to the VOQ, or bypass to an egress queue, one copy an output
// pipeline.cc reads in that order. Steps that few bursts need have files of their own: credit, a
// port's guard, neighbour suppression, observers, copies, and the slow path, for frames that need
// features which most switches do not use or that are too long for some output. If frames of the
// burst are traced, separate instances of the last two walks run, which also report to the tracer
// (trace/tracer.h).
// Each walk is a function of its own: the processor's registers just suffice for one walk, and
// memory that one walk prefetches has arrived when the next walk needs it.
// Bound: O(1) a frame, O(outputs) a frame that goes to several outputs.
// Not done here: the worker's state around a burst (shard.h).
#pragma once

#include <span>

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/types/frame.h"

namespace sluice {

// At most max_burst frames. `arrivals`: also reports to the crossbar the VOQ of the last frame (for
// its lowest output), if that VOQ holds any frame.
void run_ingress_pipeline(IngressContext& context, std::span<Frame> burst, bool arrivals);

}  // namespace sluice

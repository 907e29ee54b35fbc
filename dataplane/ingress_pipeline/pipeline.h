// The ingress pipeline: processes a received burst in three walks over its frames:
//   examine   parse, consume frames for the port itself, tags, priority
//   forward   admission to the VLAN, learning, outputs
//   queue     for each output, admission to a VOQ or bypass to an egress queue
// pipeline.cc reads in that order. Steps that few bursts need have files of their own: credit, a
// port's guard, neighbour suppression, observers, copies, and the slow path, for frames that need
// features which most switches do not use or that are too long for some output. If frames of the
// burst are traced, separate instances of the last two walks run, which also report to the tracer
// (trace/tracer.h).
// Each walk is a function of its own: the processor has just enough registers for one walk, and
// memory that one walk prefetches is in the cache when the next walk uses it.
// Bound: O(1) a frame, O(outputs) a frame with several outputs.
// Not here: the worker's state around a burst (shard.h).
#pragma once

#include <span>

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Processes at most max_burst frames. `arrivals`: also reports an arrival to the crossbar, for the
// VOQ of the last frame (at its lowest output) whose VOQ is not empty.
void run_ingress_pipeline(IngressContext& context, std::span<Frame> burst, bool arrivals);

}  // namespace sluice

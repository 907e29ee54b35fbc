// What captures, traces and flow samples get of a burst on its way in.
#pragma once

#include <span>

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/ingress_pipeline/verdicts.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Copies the burst as it came, and picks frames for flow samples: without one, nobody samples it.
void capture(Observers& observers, const Ingress& ingress, InputIndex input,
             std::span<const Frame> burst, const Verdicts& verdicts, Nanos now);
// A frame that goes nowhere; `of_headers`: its verdict before it was forwarded. Where that is one,
// its priority is not shown.
void capture_drop(const IngressContext& context, const Frame& frame, Drop of_headers, Drop why);
// A copy for `output`.
void capture_drop(const IngressContext& context, const Frame& frame, PortIndex output, Drop why);
// One that is about to be cut for `output`.
void capture_trimmed(const IngressContext& context, const Frame& frame, PortIndex output);

// Whether any frame of the burst is traced. Reads headers once more: the frames are few, and the
// others keep nothing of theirs.
bool choose_traced(Tracer& tracer, const Ingress& ingress, InputIndex input, std::span<Frame> burst,
                   const Verdicts& verdicts);

}  // namespace sluice

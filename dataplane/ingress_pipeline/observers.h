// Observers: give captures, traces and flow samples their copies of a burst on its way in.
#pragma once

#include <span>

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/ingress_pipeline/verdicts.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Copies the burst as it came, and picks frames for flow samples. If this is not called for a
// burst, the burst is not sampled.
void capture(Observers& observers, const Ingress& ingress, InputIndex input,
             std::span<const Frame> burst, const Verdicts& verdicts, Nanos now);
// A frame that is dropped for all outputs. `of_headers`: its verdict before it was forwarded; if
// that is a Drop, the frame's priority is not shown.
void capture_drop(const IngressContext& context, const Frame& frame, Drop of_headers, Drop why);
// A copy for `output`.
void capture_drop(const IngressContext& context, const Frame& frame, PortIndex output, Drop why);
// A frame that is about to be trimmed for `output`.
void capture_trimmed(const IngressContext& context, const Frame& frame, PortIndex output);

// Whether any frame of the burst is traced. Reads headers once more: traced frames are few, and so
// the other frames need not keep theirs.
bool choose_traced(Tracer& tracer, const Ingress& ingress, InputIndex input, std::span<Frame> burst,
                   const Verdicts& verdicts);

}  // namespace sluice

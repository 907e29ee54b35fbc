// Observers: report the frames of a received burst to captures, traces and flow samples.
#pragma once

#include <span>

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/ingress_pipeline/verdicts.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Copies the received burst to captures, and picks frames for flow samples. A burst for which this
// is not called is not sampled.
void capture(Observers& observers, const Ingress& ingress, InputIndex input,
             std::span<const Frame> burst, const Verdicts& verdicts, Nanos now);
// Reports a frame that is dropped for all outputs. `of_headers`: the verdict on its headers; if
// that is a drop, the frame has no priority to report.
void capture_drop(const IngressContext& context, const Frame& frame, Drop of_headers, Drop why);
// Reports the drop of a copy for `output`.
void capture_drop(const IngressContext& context, const Frame& frame, PortIndex output, Drop why);
// Reports a frame that is about to be trimmed for `output`.
void capture_trimmed(const IngressContext& context, const Frame& frame, PortIndex output);

// Selects the frames that are traced, and returns whether there are any. Parses headers again: few
// frames are traced, so frames do not store their headers.
bool choose_traced(Tracer& tracer, const Ingress& ingress, InputIndex input, std::span<Frame> burst,
                   const Verdicts& verdicts);

}  // namespace sluice

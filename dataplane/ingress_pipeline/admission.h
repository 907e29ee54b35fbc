// Admission of a frame to one output. The frame bypasses the VOQs if no frame waits for the output,
// or is queued in its VOQ, or is dropped with a reason: a full buffer, WRED, a pause storm, or a
// device that accepts no frames. If the buffer is full and the frame may be trimmed
// (trim/trimmer.h), its trimmed rest is admitted to the queue of trimmed frames like any frame of
// that queue.
#pragma once

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/ingress_pipeline/observers.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Returns why the frame is dropped before the buffer is checked: pfc_storm or egress_stalled by the
// watchdogs, wred by a curve, else none. A curve does not drop frames that are lossless between the
// two ports; DCBX may have made their priority lossless after the curve was configured.
Drop early_drop(const IngressContext& context, const Frame& frame, PortIndex output);
// These two functions admit the frame and report to the tracer. They read the state of the queues
// first, since admission changes it.
Drop admit_traced(IngressContext& context, const Frame& frame, PortIndex output);
Drop admit_or_trim_traced(IngressContext& context, Frame& frame, PortIndex output);
// Plans the tag edit with which the frame is sent by `output`.
void plan_tag(const IngressContext& context, Frame& frame, PortIndex output);

inline Drop admit(IngressContext& context, const Frame& frame, PortIndex output) {
    const auto is_waited_for = [&] {  // a curve acts only on a queue that is not empty
        return ((context.waited_for | context.crossbar.requested()) & only(output)) != 0;
    };
    if ((context.discarding & only(output)) != 0 && is_waited_for()) [[unlikely]] {
        if (const Drop why = early_drop(context, frame, output); why != Drop::none) return why;
    }
    return context.bypass.push(frame, output) ? Drop::none : context.ingress.admit(frame, output);
}

// Counts a copy for `output` as dropped.
inline void drop(const IngressContext& context, const Frame& frame, PortIndex output, Drop why) {
    context.counters.drops.count(why);
    if (context.observed) [[unlikely]]
        capture_drop(context, frame, output, why);
}

// Trims a frame whose queue is over its threshold. If `admit_rest` admits the trimmed rest, `frame`
// becomes that rest and the result is none. Otherwise `frame` is unchanged, and the result is the
// reason why it is dropped.
using Admit = Drop (*)(IngressContext& context, const Frame& frame, PortIndex output);
Drop trim(IngressContext& context, Frame& frame, PortIndex output, Admit admit_rest);
inline Drop admit_or_trim(IngressContext& context, Frame& frame, PortIndex output) {
    const Drop why = admit(context, frame, output);
    return why == Drop::over_threshold ? trim(context, frame, output, admit) : why;
}

// Queues a copy of a frame that has several outputs, or counts its drop. Such copies are not
// trimmed.
template <bool traced>
bool queue_or_drop(IngressContext& context, const Frame& frame, PortIndex output) {
    const Drop why = traced ? admit_traced(context, frame, output) : admit(context, frame, output);
    if (why == Drop::over_threshold) context.ingress.count_untrimmed({output, frame.priority});
    if (why != Drop::none) drop(context, frame, output, why);
    return why == Drop::none;
}
// Queues a frame that has no other output, or its trimmed rest, or counts its drop.
template <bool traced>
bool queue_or_trim(IngressContext& context, Frame& frame, PortIndex output) {
    const Drop why = traced ? admit_or_trim_traced(context, frame, output)
                            : admit_or_trim(context, frame, output);
    if (why != Drop::none) drop(context, frame, output, why);
    return why == Drop::none;
}

}  // namespace sluice

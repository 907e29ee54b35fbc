// Admission of a frame to one output: past the VOQs where none waits, or to its VOQ, or dropped by
// name: where the buffer is short, by WRED, in a PFC storm, at a device that takes nothing. Where
// the buffer is short what is left of a frame that may be trimmed (trim/trimmer.h) is admitted to
// the queue of trimmed frames, as any frame for that.
#pragma once

#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/ingress_pipeline/observers.h"
#include "dataplane/types/frame.h"

namespace sluice {

// Whether it is dropped before the buffer is asked: pfc_storm or egress_stalled by the watchdog,
// wred by a curve, else none. What is lossless between two ports is never dropped by its curve:
// DCBX may have made it so.
Drop early_drop(const IngressContext& context, const Frame& frame, PortIndex output);
// These two admit it, and report to the tracer. What a frame finds is looked at before, since to
// admit it changes that.
Drop admit_traced(IngressContext& context, const Frame& frame, PortIndex output);
Drop admit_or_trim_traced(IngressContext& context, Frame& frame, PortIndex output);
// What its octets need so that it leaves `output` with the tag that belongs there.
void plan_tag(const IngressContext& context, Frame& frame, PortIndex output);

inline Drop admit(IngressContext& context, const Frame& frame, PortIndex output) {
    const auto is_waited_for = [&] {  // no curve acts on a queue that is empty
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

// Of a frame whose queue is over its threshold: admits what is left of it by `admit_rest`, and
// makes that of the frame. Else nothing of it has changed, and this is why it is dropped.
using Admit = Drop (*)(IngressContext& context, const Frame& frame, PortIndex output);
Drop trim(IngressContext& context, Frame& frame, PortIndex output, Admit admit_rest);
inline Drop admit_or_trim(IngressContext& context, Frame& frame, PortIndex output) {
    const Drop why = admit(context, frame, output);
    return why == Drop::over_threshold ? trim(context, frame, output, admit) : why;
}

// Queues a copy of a frame that goes to several outputs, which is never trimmed, or counts why not.
template <bool traced>
bool queue_or_drop(IngressContext& context, const Frame& frame, PortIndex output) {
    const Drop why = traced ? admit_traced(context, frame, output) : admit(context, frame, output);
    if (why == Drop::over_threshold) context.ingress.count_untrimmed({output, frame.priority});
    if (why != Drop::none) drop(context, frame, output, why);
    return why == Drop::none;
}
// The same of a frame that is this output's alone.
template <bool traced>
bool queue_or_trim(IngressContext& context, Frame& frame, PortIndex output) {
    const Drop why = traced ? admit_or_trim_traced(context, frame, output)
                            : admit_or_trim(context, frame, output);
    if (why != Drop::none) drop(context, frame, output, why);
    return why == Drop::none;
}

}  // namespace sluice

// Admission of a frame to one output: past the VOQs where none waits, or to its VOQ, or dropped by
// name: where the buffer is short, by WRED, in a PFC storm, at a device that takes nothing.
#pragma once

#include "dataplane/frame.h"
#include "dataplane/ingress_pipeline/context.h"
#include "dataplane/ingress_pipeline/observers.h"

namespace sluice {

// Whether it is dropped before the buffer is asked: pfc_storm or egress_stalled by the watchdog,
// wred by a curve, else none. What is lossless between two ports is never dropped by its curve:
// DCBX may have made it so.
Drop early_drop(const IngressContext& context, const Frame& frame, PortIndex output);
// Admits it, and reports to the tracer. What a frame finds is looked at before, since to admit it
// changes that.
Drop admit_traced(IngressContext& context, const Frame& frame, PortIndex output);
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

// Queues it, or counts why not.
template <bool traced>
bool queue_or_drop(IngressContext& context, const Frame& frame, PortIndex output) {
    const Drop why = traced ? admit_traced(context, frame, output) : admit(context, frame, output);
    if (why != Drop::none) drop(context, frame, output, why);
    return why == Drop::none;
}

}  // namespace sluice

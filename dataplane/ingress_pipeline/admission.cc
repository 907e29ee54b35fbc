#include "dataplane/ingress_pipeline/admission.h"

#include "dataplane/ingress/tagging.h"

namespace sluice {

[[gnu::noinline]] Drop early_drop(const IngressContext& context, const Frame& frame,
                                  PortIndex output) {
    const QueueKey path{output, frame.priority};
    Ingress& ingress = context.ingress;
    if ((context.shared.egress[output]->discarding() & only_priority(frame.priority)) != 0) {
        ingress.count_watchdog_drops(path, 1);
        return Drop::pfc_storm;
    }
    if (context.shared.egress[output]->drops_as_stalled(frame)) {
        ingress.count_dropped(path);
        return Drop::egress_stalled;
    }
    if (!context.aqm.may_drop(path) || Aqm::spares(frame)) return Drop::none;
    if (ingress.lossless(frame.priority, output)) return Drop::none;
    if (!context.aqm.drops(path, context.shared.depth(path))) return Drop::none;
    ingress.count_dropped(path);
    return Drop::wred;
}

[[gnu::noinline]] Drop admit_traced(IngressContext& context, const Frame& frame, PortIndex output) {
    const QueueKey path{output, frame.priority};
    const SharedState& shared = context.shared;
    const Admission found = context.ingress.admission(path);
    const uint64_t ahead = shared.egress[output]->queue(frame.priority).waiting();
    const uint64_t bypassed = context.ingress.bypassed(path);
    const Drop why = admit(context, frame, output);
    TraceWay way = why == Drop::none ? TraceWay::queued : TraceWay::refused;
    if (context.ingress.bypassed(path) != bypassed) {
        way = context.bypass.hands_over_to(output) ? TraceWay::handed_over : TraceWay::bypassed;
    }
    context.tracer->admitted(frame, {.output = output,
                                     .way = way,
                                     .why = why,
                                     .found = found,
                                     .ahead_in_egress = ahead,
                                     .holds = {*shared.egress[output], *shared.credit[output]}});
    return why;
}

[[gnu::noinline]] void plan_tag(const IngressContext& context, Frame& frame, PortIndex output) {
    const TagForm came = form_of_tag(frame, context.ingress.settings().tagging);
    plan(frame, context.forwarding.tag_edit(frame, came, output));
}

}  // namespace sluice

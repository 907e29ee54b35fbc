#include "dataplane/ingress_pipeline/admission.h"

#include <span>

#include "dataplane/ingress/tagging.h"
#include "dataplane/trim/cut_packet.h"
#include "dataplane/types/tag.h"

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
    if (!context.aqm.may_drop(path) || context.aqm.spares(frame, output)) return Drop::none;
    if (ingress.lossless(frame.priority, output)) return Drop::none;
    if (!context.aqm.drops(path, context.shared.depth(path))) return Drop::none;
    ingress.count_dropped(path);
    return Drop::wred;
}

namespace {

// TracedAdmission: reads the state of the queues before a frame is admitted, and reports the
// admission to the tracer.
class TracedAdmission {
  public:
    TracedAdmission(IngressContext& context, const Frame& frame, PortIndex output)
        : context_(context),
          frame_(frame),
          path_{output, frame.priority},
          found_(context.ingress.admission(path_)),
          ahead_(context.shared.egress[output]->queue(frame.priority).waiting()),
          bypassed_(context.ingress.bypassed(path_)) {}

    void report(Drop why, bool is_trimmed) {
        const SharedState& shared = context_.shared;
        const PortIndex output = path_.output;
        TraceWay way = why == Drop::none ? TraceWay::queued : TraceWay::refused;
        if (is_trimmed) way = TraceWay::trimmed;
        if (context_.ingress.bypassed(path_) != bypassed_) {
            way =
                context_.bypass.hands_over_to(output) ? TraceWay::handed_over : TraceWay::bypassed;
        }
        context_.tracer->admitted(frame_,
                                  {.output = output,
                                   .way = way,
                                   .why = why,
                                   .found = found_,
                                   .ahead_in_egress = ahead_,
                                   .holds = {*shared.egress[output], *shared.credit[output]}});
    }

  private:
    IngressContext& context_;
    const Frame frame_;  // copy from before admission
    const QueueKey path_;
    const Admission found_;
    const uint64_t ahead_;
    const uint64_t bypassed_;
};

}  // namespace

[[gnu::noinline]] Drop admit_traced(IngressContext& context, const Frame& frame, PortIndex output) {
    TracedAdmission admission(context, frame, output);
    const Drop why = admit(context, frame, output);
    admission.report(why, false);
    return why;
}

// If the frame is trimmed, the trace reports the trimmed copy first, then the frame.
[[gnu::noinline]] Drop admit_or_trim_traced(IngressContext& context, Frame& frame,
                                            PortIndex output) {
    TracedAdmission admission(context, frame, output);
    Drop why = admit(context, frame, output);
    const bool is_over = why == Drop::over_threshold;
    if (is_over) why = trim(context, frame, output, admit_traced);
    admission.report(why, is_over && why == Drop::none);
    return why;
}

[[gnu::noinline]] Drop trim(IngressContext& context, Frame& frame, PortIndex output,
                            Admit admit_rest) {
    const QueueKey path{output, frame.priority};
    Ingress& ingress = context.ingress;
    if (!ingress.trims(path)) return Drop::over_threshold;
    const std::span<const uint8_t> octets = octets_as_they_are(frame);
    const auto network =
        static_cast<std::size_t>(frame.data + frame.network_offset - octets.data());
    Trimmer::Trimmed rest;
    if (frame.has_network()) rest = context.trimmer.trimmed(path, octets, network);
    const uint64_t sent = context.shared.counters[output]->tx_bytes.value();
    if (rest.length == 0 || ingress.lossless(rest.priority, output) ||
        !context.trimmer.has_share(output, sent, Bytes(rest.length))) {
        ingress.count_dropped(path);
        return Drop::over_threshold;
    }
    Frame kept = frame;
    kept.priority = rest.priority;
    kept.length = static_cast<uint16_t>(length_after(edit_of(frame), rest.length));
    const Drop why = admit_rest(context, kept, output);
    ingress.count_trimmed(path, why == Drop::none);
    if (why != Drop::none) return why == Drop::over_threshold ? Drop::trim_refused : why;
    context.trimmer.spend(output, Bytes(rest.length));
    if (context.observers.captures != nullptr) capture_trimmed(context, frame, output);
    write_cut_headers({frame.data + octets_added(edit_of(frame)), rest.length}, network, rest.dscp);
    if (context.csig.is_on()) [[unlikely]]
        context.csig.tags().mark_trimmed({frame.data + octets_added(edit_of(frame)), rest.length});
    context.released.cut(frame.handle, rest.length);
    frame = kept;
    return Drop::none;
}

[[gnu::noinline]] void plan_tag(const IngressContext& context, Frame& frame, PortIndex output) {
    const TagForm came = form_of_tag(frame, context.ingress.settings().tagging);
    plan(frame, context.forwarding.tag_edit(frame, came, output));
}

}  // namespace sluice

#include "dataplane/ingress_pipeline/copies.h"

#include <bit>

#include "dataplane/ingress_pipeline/admission.h"

namespace sluice {

template <bool traced>
[[gnu::noinline]] void enqueue_copies(IngressContext& context, Frame frame, PortSet own,
                                      PortSet mirrored_to) {
    if (context.edits_tags) {  // a tag edit may copy the frame to another buffer
        context.latency.forget(frame);
        frame.latency_mark = 0;
    }
    Frame as_it_came = frame;
    as_it_came.network_offset = shared_octets;
    as_it_came.latency_mark = 0;
    if (!std::has_single_bit(own)) frame = as_it_came;
    PortSet queued = 0;
    for_each_port(own, [&](PortIndex output) {
        Frame copy = frame;
        if (context.edits_tags) plan_tag(context, copy, output);
        if (queue_or_drop<traced>(context, copy, output)) queued |= only(output);
    });
    if (queued == 0) context.latency.forget(frame);
    const PortSet copies = mirrored_to & context.mirrors.copies(context.port, queued);
    for_each_port(copies, [&](PortIndex output) {
        if (!context.forwarding.mtus().fits(as_it_came.size(), output)) {
            if (traced) context.tracer->too_long(only(output));
            return drop(context, as_it_came, output, Drop::mtu_exceeded);
        }
        if (queue_or_drop<traced>(context, as_it_came, output)) queued |= only(output);
    });
    context.counters.copied.add(static_cast<uint64_t>(std::popcount(own | copies) - 1));
    const int references = std::popcount(queued);
    if (references == 0) context.released.free(frame.handle);
    if (references > 1) {
        context.released.share(frame.handle, static_cast<uint16_t>(references - 1));
    }
}

template void enqueue_copies<false>(IngressContext&, Frame, PortSet, PortSet);
template void enqueue_copies<true>(IngressContext&, Frame, PortSet, PortSet);

}  // namespace sluice

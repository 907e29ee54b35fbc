#include "dataplane/ingress_pipeline/observers.h"

#include <utility>

#include "dataplane/ingress/parse.h"

namespace sluice {

[[gnu::noinline]] void capture(IngressContext& context, std::span<const Frame> burst,
                               const Verdicts& verdicts) {
    CapturePoints* const points = context.capture_points;
    if (points != nullptr) points->received(context.port, burst, verdicts.drop, context.now);
    if (context.sampling != nullptr && !context.sampling->choose(context.input, burst)) {
        context.sampling = nullptr;
    }
    context.observed = points != nullptr || context.sampling != nullptr;
}

[[gnu::noinline]] void capture_drop(const IngressContext& context, const Frame& frame,
                                    Drop of_headers, Drop why) {
    if (context.sampling != nullptr) context.sampling->dropped(frame, why);
    if (context.capture_points == nullptr) return;
    const Priority priority =
        of_headers == Drop::none ? frame.priority : Priority{CaptureRecord::unknown};
    context.capture_points->dropped_ingress(context.port, frame, priority, why,
                                            {.input = context.port}, context.now);
}

[[gnu::noinline]] void capture_drop(const IngressContext& context, const Frame& frame,
                                    PortIndex output, Drop why) {
    if (context.sampling != nullptr) context.sampling->refused(frame, output, why);
    if (context.capture_points == nullptr) return;
    const QueueKey path{output, frame.priority};
    const Bytes depth = why == Drop::wred
                            ? context.shared.depth(path)  // by which it was decided
                            : std::as_const(context.ingress).voq(output, frame.priority).bytes();
    context.capture_points->dropped_ingress(
        context.port, frame, frame.priority, why,
        {.input = context.port, .output = output, .depth = depth}, context.now);
}

[[gnu::noinline]] void capture_trimmed(const IngressContext& context, const Frame& frame,
                                       PortIndex output) {
    const Bytes depth = std::as_const(context.ingress).voq(output, frame.priority).bytes();
    context.capture_points->trimmed(context.port, frame,
                                    {.input = context.port, .output = output, .depth = depth},
                                    context.now);
}

[[gnu::noinline]] bool choose_traced(IngressContext& context, std::span<Frame> burst,
                                     const Verdicts& verdicts) {
    const Ingress& ingress = context.ingress;
    bool any = false;
    context.tracer->begin_burst();
    for (std::size_t n = 0; n < burst.size(); ++n) {
        const std::span<const uint8_t> octets(burst[n].data, burst[n].length);
        Headers headers;
        const bool parsed = read_headers(ingress.format(), octets, headers);
        if (!parsed) headers = {};
        any |= context.tracer->choose(n, burst[n],
                                      {.input = context.input,
                                       .port = context.port,
                                       .parsed = parsed,
                                       .headers = headers,
                                       .why = verdicts.drop[n],
                                       .rule = ingress.explain(headers, octets).source});
    }
    return any;
}

}  // namespace sluice

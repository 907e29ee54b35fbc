#include "dataplane/ingress_pipeline/observers.h"

#include <utility>

#include "dataplane/ingress/parse.h"

namespace sluice {

[[gnu::noinline]] void capture(Observers& observers, const Ingress& ingress, InputIndex input,
                               std::span<const Frame> burst, const Verdicts& verdicts, Nanos now) {
    if (observers.captures != nullptr) {
        observers.captures->received(ingress.port(), burst, verdicts.drop, now);
    }
    const bool samples = observers.sampling != nullptr;
    if (samples && !observers.sampling->choose(input, burst)) observers.sampling = nullptr;
}

[[gnu::noinline]] void capture_drop(const IngressContext& context, const Frame& frame,
                                    Drop of_headers, Drop why) {
    if (context.observers.sampling != nullptr) context.observers.sampling->dropped(frame, why);
    if (context.observers.captures == nullptr) return;
    const Priority priority =
        of_headers == Drop::none ? frame.priority : Priority{CaptureRecord::unknown};
    context.observers.captures->dropped_ingress(context.port, frame, priority, why,
                                                {.input = context.port}, context.now);
}

[[gnu::noinline]] void capture_drop(const IngressContext& context, const Frame& frame,
                                    PortIndex output, Drop why) {
    if (context.observers.sampling != nullptr)
        context.observers.sampling->refused(frame, output, why);
    if (context.observers.captures == nullptr) return;
    const QueueKey path{output, frame.priority};
    const Bytes depth = why == Drop::wred
                            ? context.shared.depth(path)  // depth that WRED compared
                            : std::as_const(context.ingress).voq(output, frame.priority).bytes();
    context.observers.captures->dropped_ingress(
        context.port, frame, frame.priority, why,
        {.input = context.port, .output = output, .depth = depth}, context.now);
}

[[gnu::noinline]] void capture_trimmed(const IngressContext& context, const Frame& frame,
                                       PortIndex output) {
    const Bytes depth = std::as_const(context.ingress).voq(output, frame.priority).bytes();
    context.observers.captures->trimmed(context.port, frame,
                                        {.input = context.port, .output = output, .depth = depth},
                                        context.now);
}

[[gnu::noinline]] bool choose_traced(Tracer& tracer, const Ingress& ingress, InputIndex input,
                                     std::span<Frame> burst, const Verdicts& verdicts) {
    bool any = false;
    tracer.begin_burst();
    for (std::size_t n = 0; n < burst.size(); ++n) {
        const std::span<const uint8_t> octets(burst[n].data, burst[n].length);
        Headers headers;
        const bool parsed = read_headers(ingress.format(), octets, headers);
        if (!parsed) headers = {};
        any |= tracer.choose(n, burst[n],
                             {.input = input,
                              .port = ingress.port(),
                              .parsed = parsed,
                              .headers = headers,
                              .why = verdicts.drop[n],
                              .rule = ingress.explain(headers, octets).source});
    }
    return any;
}

}  // namespace sluice

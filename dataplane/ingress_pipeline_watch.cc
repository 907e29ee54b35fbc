// What those who look on are told of a burst on its way in: captures, traces and flow samples.
#include <utility>

#include "dataplane/ingress/parse.h"
#include "dataplane/ingress_pipeline.h"

namespace sluice {

// As it came. Flow samples are of the few bursts of which a frame is picked.
[[gnu::noinline]] void IngressPipeline::show(std::span<const Frame> burst,
                                             const Verdicts& verdicts) {
    if (taps_ != nullptr) taps_->received(port_, burst, verdicts.drop, now_);
    if (sampling_ != nullptr && !sampling_->choose(input_, burst)) sampling_ = nullptr;
    watched_ = taps_ != nullptr || sampling_ != nullptr;
}

[[gnu::noinline]] void IngressPipeline::show_drop(const Frame& frame, Drop of_headers, Drop why) {
    if (sampling_ != nullptr) sampling_->dropped(frame, why);
    if (taps_ == nullptr) return;
    const Priority priority =
        of_headers == Drop::none ? frame.priority : Priority{CaptureRecord::unknown};
    taps_->dropped_ingress(port_, frame, priority, why, {.input = port_}, now_);
}

[[gnu::noinline]] void IngressPipeline::show_drop(const Frame& frame, PortIndex output, Drop why) {
    if (sampling_ != nullptr) sampling_->refused(frame, output, why);
    if (taps_ == nullptr) return;
    const QueueKey path{output, frame.priority};
    const Bytes depth = why == Drop::wred
                            ? shared_.depth(path)  // by which it was decided
                            : std::as_const(ingress_).voq(output, frame.priority).bytes();
    taps_->dropped_ingress(port_, frame, frame.priority, why,
                           {.input = port_, .output = output, .depth = depth}, now_);
}

// Reads headers once more: the frames are few, and the others keep nothing of theirs.
[[gnu::noinline]] bool IngressPipeline::choose_traced(std::span<Frame> burst,
                                                      const Verdicts& verdicts) {
    bool any = false;
    tracer_->begin_burst();
    for (std::size_t n = 0; n < burst.size(); ++n) {
        const std::span<const uint8_t> octets(burst[n].data, burst[n].length);
        Headers headers;
        const bool parsed = read_headers(ingress_.format(), octets, headers);
        if (!parsed) headers = {};
        any |= tracer_->choose(n, burst[n],
                               {.input = input_,
                                .port = port_,
                                .parsed = parsed,
                                .headers = headers,
                                .why = verdicts.drop[n],
                                .rule = ingress_.explain(headers, octets).source});
    }
    return any;
}

}  // namespace sluice

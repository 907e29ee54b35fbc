// What captures, traces and flow samples get of a burst on its way in.
#include <utility>

#include "dataplane/ingress/parse.h"
#include "dataplane/ingress_pipeline.h"

namespace sluice {

// As it came. Flow samples are of the few bursts of which a frame is picked.
[[gnu::noinline]] void IngressPipeline::capture(std::span<const Frame> burst,
                                                const Verdicts& verdicts) {
    if (capture_points_ != nullptr) capture_points_->received(port_, burst, verdicts.drop, now_);
    if (sampling_ != nullptr && !sampling_->choose(input_, burst)) sampling_ = nullptr;
    observed_ = capture_points_ != nullptr || sampling_ != nullptr;
}

[[gnu::noinline]] void IngressPipeline::capture_drop(const Frame& frame, Drop of_headers,
                                                     Drop why) {
    if (sampling_ != nullptr) sampling_->dropped(frame, why);
    if (capture_points_ == nullptr) return;
    const Priority priority =
        of_headers == Drop::none ? frame.priority : Priority{CaptureRecord::unknown};
    capture_points_->dropped_ingress(port_, frame, priority, why, {.input = port_}, now_);
}

[[gnu::noinline]] void IngressPipeline::capture_drop(const Frame& frame, PortIndex output,
                                                     Drop why) {
    if (sampling_ != nullptr) sampling_->refused(frame, output, why);
    if (capture_points_ == nullptr) return;
    const QueueKey path{output, frame.priority};
    const Bytes depth = why == Drop::wred
                            ? shared_.depth(path)  // by which it was decided
                            : std::as_const(ingress_).voq(output, frame.priority).bytes();
    capture_points_->dropped_ingress(port_, frame, frame.priority, why,
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

// Bypass: moves frames of one burst past the VOQs, straight to their egress queue, while that has
// room and no VOQ of this worker holds a frame for its output; to an output of another worker by
// fabric/handoff.h. Linux calls it so where a queue discipline is empty (TCQ_F_CAN_BYPASS). It is
// no cut-through: every frame was received whole.
//
// A frame in an egress queue is charged to no account. So a burst may bypass only if all of it
// could also wait in VOQs as they are before it, a flooded frame counted once, without a drop and
// without pausing its peer. Of two switches that are alike until then, with bypass and without, a
// burst for one queue is dropped and paused for alike, but for lossy frames of a port with lanes:
// what other lanes have in VOQs for that output is not counted. Later they may differ: what
// bypassed left more of the pool free, so in the long run fewer frames of one queue may be dropped,
// and more of another.
//
// No frame overtakes another of its (input, output, priority), and within a shard strict priority,
// shares and pauses are as without it. Frames that wait at other shards may be overtaken, but keep
// their room: what is handed over has room of its own in egress queues.
//
// Nor is what bypassed part of a queue's depth. An output that pauses who feeds it from a depth on
// that `most_charged_past_voqs` would reach is closed, and so is one with a curve that begins below
// four quanta. What is past the VOQs towards another curve is charged less than it begins at: the
// frame that would reach that takes its VOQ (Egress::limit_bypass). So a queue that was empty is
// marked, or dropped from, once it is twice as deep at the most. With several workers, who do not
// see what others hand over, a curve closes an output as a pause does.
//
// The first frame that finds no room in the egress queue closes the output for the rest of the
// burst, and its VOQ for all until that is empty: so nothing overtakes it, and within one poll an
// input can be favoured by no more than an egress queue holds (EgressQueue::capacity). Of inputs
// that want an output alike no more leaves of one than of another, over any time, than that and one
// transfer (max_transfer frames). tests/property/bypass_property.cc draws both.
//
// Bound: a look at the thresholds a burst, then a push and a count a frame. The count is in a cache
// line of its own, for the priorities of an (input, output): the VOQ's, the only other line of
// these, is not touched.
// Not done here: which outputs are open when the burst begins (shard.h says which).
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>

#include "dataplane/egress/egress.h"
#include "dataplane/fabric/handoff.h"
#include "dataplane/ingress/ingress.h"
#include "dataplane/types/settings.h"

namespace sluice {

// What the frames in an egress queue that took no VOQ would be charged there, at the most: one
// worker fills it to two quanta, and of several each adds one at the most.
inline Bytes most_charged_past_voqs(const Settings& settings) {
    const auto frames = static_cast<int64_t>(EgressQueue::most_frames(settings.workers));
    const Bytes octets = settings.fabric.quantum * std::max<int64_t>(settings.workers, 2);
    return octets + (settings.buffer.cell - Bytes(1)) * frames;
}
// The same of a priority that flows (egress/egress.h), which counts frames alone.
inline Bytes most_charged_flowing(const Settings& settings) {
    const auto frames = static_cast<int64_t>(EgressQueue::most_frames(settings.workers));
    return (largest_frame(settings) + settings.buffer.cell) * frames;
}
// Depths of the queue of an output from which on its frames are marked or dropped, and who feeds it
// is paused; `no_limit`: never.
struct LevelsOfDepth {
    Bytes curve;
    Bytes pause;

    LevelsOfDepth(const PortSettings& output, Priority priority)
        : curve(output.ecn[priority].high.count() > 0 ? output.ecn[priority].low : no_limit),
          pause(no_limit) {
        const PfcSettings& pfc = output.pfc;
        if (pfc.trigger == PauseTrigger::ingress) return;
        if ((pfc.lossless & only_priority(priority)) == 0) return;
        pause = pfc.alpha_128 != 0 ? Bytes(0) : pfc.xoff;
    }
};
// Outputs at which one of these is too little for anything to be past it.
inline PortSet reacting_when_shallow(const Settings& settings) {
    const Bytes past_voqs = most_charged_past_voqs(settings);
    const Bytes least_of_curve = settings.workers > 1 ? past_voqs : settings.fabric.quantum * 4;
    PortSet outputs = 0;
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            const LevelsOfDepth levels(settings.ports[port], priority);
            if (levels.curve <= least_of_curve || levels.pause <= past_voqs) outputs |= only(port);
        }
    }
    return outputs;
}

class Bypass {
  public:
    using Outputs = std::span<const std::unique_ptr<Egress>, max_ports>;

    struct Context {
        Ingress& ingress;
        Outputs outputs;  // null where they are another worker's
        Handoff& handoff;
    };

    Bypass(const Context& context, PortSet open) : context_(context), open_(open) {}

    // Before the first frame: the most that the burst would be charged if all of it took VOQs.
    void expect(Bytes most_charged) {
        if (open_ != 0) admissible_ = context_.ingress.would_admit(most_charged);
    }
    // Prefetches the queue that the frame will take.
    void prefetch(QueueKey path) const {
        const Egress* const egress = context_.outputs[path.output].get();
        if ((open_ & only(path.output)) == 0) {
            context_.ingress.prefetch(path);
        } else if (egress != nullptr) {
            egress->prefetch(path.priority);
        }
    }
    // Puts the frame into its egress queue, or hands it over. False: it is to take its VOQ, and so
    // is all that follows of the burst for this output.
    bool push(const Frame& frame, PortIndex output) {
        if ((open_ & only(output)) == 0) return false;
        const Priority priority = frame.priority;
        if ((admissible_ & only_priority(priority)) != 0 && passes(frame, output)) {
            used_ |= only(output);
            context_.ingress.count_bypassed({output, priority});
            return true;
        }
        open_ &= ~only(output);
        return false;
    }
    // Whether the output is another worker's.
    [[nodiscard]] bool hands_over_to(PortIndex output) const {
        return context_.outputs[output] == nullptr;
    }
    // Outputs that got a frame of this burst past the VOQs.
    [[nodiscard]] PortSet used() const { return used_; }

  private:
    bool passes(const Frame& frame, PortIndex output) {
        Egress* const egress = context_.outputs[output].get();
        return egress != nullptr ? egress->push_bypassing(frame)
                                 : context_.handoff.push(frame, output);
    }

    const Context context_;
    PortSet open_;
    PortSet used_ = 0;
    PrioritySet admissible_ = 0;  // of which all of the burst would be let in, and pause nobody
};

}  // namespace sluice

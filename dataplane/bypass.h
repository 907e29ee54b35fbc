// Bypass: moves the frames of one burst past the VOQs, straight to their egress queue. It does so
// while that queue has room and no VOQ of this worker holds a frame for the output. A frame for an
// output of another worker is handed over (fabric/handoff.h). Linux uses the word in the same way
// for an empty queue discipline (TCQ_F_CAN_BYPASS). This is not cut-through: every frame was
// received whole.
//
// A frame in an egress queue is charged to no account. So a burst may bypass only if all of it
// could also be queued in the VOQs without a drop and without pausing its peer; a flooded frame
// counts once. Of two switches in the same state, one with bypass and one without, both drop and
// pause alike for the next burst for one queue. The exception is lossy frames of a port with lanes:
// the VOQs of other lanes for that output are not counted. Later the two may differ: frames that
// bypassed leave more of the pool free, so over time one queue may drop fewer frames and another
// queue more.
//
// No frame overtakes another frame of its (input, output, priority). Within a shard strict
// priority, shares and pauses are the same as without bypass. Frames that wait at other shards may
// be overtaken, but keep their room: frames that are handed over have room of their own in egress
// queues.
//
// Frames that bypassed do not count towards the depth of a queue. `most_charged_past_voqs` bounds
// the charge that they would have. An output is closed to bypass if its depth pauses inputs from a
// level within that bound, or if it has a curve that begins below four quanta. With any other
// curve, the frames past the VOQs are charged less than the depth at which the curve begins: the
// frame that would reach that depth is queued in its VOQ (Egress::limit_bypass). So in a queue that
// was empty, marking or dropping begins at the latest when twice that depth waits: less than that
// depth past the VOQs, and that depth in the VOQs. With several workers a curve closes an output as
// a pause does, since a worker does not know which frames the others hand over.
//
// The first frame that finds no room in the egress queue closes the output for the rest of the
// burst; its VOQ then closes the output for all frames until the VOQ is empty. So no frame
// overtakes that frame, and within one poll an input is favoured by at most the frames of an egress
// queue (EgressQueue::capacity). If two inputs have equal demand for an output, over any time one
// sends more than the other by at most that number and one transfer (max_transfer frames).
// tests/property/bypass_property.cc tests both.
//
// Bound: one check of the thresholds a burst, then one push and one count a frame. The counts of
// all priorities of an (input, output) share a cache line; the cache line of the VOQ is not
// touched. Not here: which outputs are open when the burst begins (shard.h).
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

// Returns the highest charge that the bypassed frames of an egress queue would have in VOQs. A
// single worker fills the queue to two quanta; each of several workers adds at most one quantum.
inline Bytes most_charged_past_voqs(const Settings& settings) {
    const auto frames = static_cast<int64_t>(EgressQueue::most_frames(settings.workers));
    const Bytes octets = settings.fabric.quantum * std::max<int64_t>(settings.workers, 2);
    return octets + (settings.buffer.cell - Bytes(1)) * frames;
}
// As `most_charged_past_voqs`, for a priority that flows (egress/egress.h): only the number of
// frames limits its egress queue.
inline Bytes most_charged_flowing(const Settings& settings) {
    const auto frames = static_cast<int64_t>(EgressQueue::most_frames(settings.workers));
    return (largest_frame(settings) + settings.buffer.cell) * frames;
}
// The depths of an output's queue from which on its frames are marked or dropped (`curve`), and
// from which on inputs pause their peers (`pause`); `no_limit`: never.
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
// Returns the outputs with a level so low that no frame may bypass.
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
        Outputs outputs;  // null for outputs of another worker
        Handoff& handoff;
    };

    Bypass(const Context& context, PortSet open) : context_(context), open_(open) {}

    // Sets the highest charge that the burst would have in VOQs. Called before its first frame.
    void expect(Bytes most_charged) {
        if (open_ != 0) admissible_ = context_.ingress.would_admit(most_charged);
    }
    // Prefetches the queue for a frame with this `path`.
    void prefetch(QueueKey path) const {
        const Egress* const egress = context_.outputs[path.output].get();
        if ((open_ & only(path.output)) == 0) {
            context_.ingress.prefetch(path);
        } else if (egress != nullptr) {
            egress->prefetch(path.priority);
        }
    }
    // Puts the frame into its egress queue, or hands it over. Returns false if this frame, and all
    // later frames of the burst for this output, must be queued in their VOQs.
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
    // Whether another worker owns the output.
    [[nodiscard]] bool hands_over_to(PortIndex output) const {
        return context_.outputs[output] == nullptr;
    }
    // Returns the outputs to which a frame of this burst bypassed the VOQs.
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
    PrioritySet admissible_ = 0;  // priorities of which the burst fits without a pause
};

}  // namespace sluice

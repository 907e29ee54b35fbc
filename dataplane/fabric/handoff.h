// Handoff: the way past the VOQs to outputs of other workers. What one worker receives for an
// output of another, and nobody waits for, goes into a queue between the two, and from there to its
// egress queue once that one collects. VPP calls it so where a packet changes threads.
//
// Such a frame takes no VOQ, asks for no grant and is charged to nobody. Whoever collects takes all
// there is, whatever it may send just now, so a priority that is paused holds up no other: each
// egress queue keeps places for that (egress/egress_queue.h). So a worker hands over a frame
// only while its output offers room for one more transfer of the priority, and only as long as no
// more than its part of these places, and a quantum of octets, may be full of what it handed over
// to the output and did not see collected.
// No frame overtakes another of its (input, output, priority): an output with a grant of the same
// worker under way is closed to this, and what was handed over is collected before what was posted
// (crossbar.h).
// Bound: a push is O(1); 512 frames between two workers. What finds no place takes its VOQ.
// Not done here: whether anybody waits for the output; that is for Shard.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dataplane/fabric/crossbar.h"
#include "dataplane/frame.h"
#include "dataplane/limits.h"
#include "dataplane/settings.h"
#include "dataplane/worker_queue.h"

namespace sluice {

struct HandedOver {
    Frame frame;
    PortIndex output;
};

// From each worker to each other one.
class HandoffQueues {
  public:
    using Queue = WorkerQueue<HandedOver, 512>;

    explicit HandoffQueues(uint8_t workers)
        : workers_(workers),
          queues_(workers > 1 ? std::make_unique<Queue[]>(std::size_t{workers} * workers)
                              : nullptr) {}
    [[nodiscard]] uint8_t workers() const { return workers_; }
    [[nodiscard]] Queue& between(WorkerIndex from, WorkerIndex to) {
        return queues_[std::size_t{from} * workers_ + to];
    }
    // What `to` has been handed over by now, oldest first of each worker.
    template <class Visit>
    void take(WorkerIndex to, Visit visit) {
        for (WorkerIndex from = 0; from < workers_; ++from) {
            if (from != to) between(from, to).take(visit);
        }
    }
    [[nodiscard]] bool empty() const {  // by any thread
        const std::size_t queues = queues_ ? std::size_t{workers_} * workers_ : 0;
        return std::all_of(&queues_[0], &queues_[0] + queues,
                           [](const Queue& queue) { return queue.empty(); });
    }

  private:
    const uint8_t workers_;
    std::unique_ptr<Queue[]> queues_;
};

// What one worker hands over; that worker alone calls it.
class Handoff {
  public:
    Handoff(WorkerIndex self, const Settings& settings, HandoffQueues& queues, Crossbar& crossbar)
        : self_(self), queues_(queues), crossbar_(crossbar) {
        for (const PortSettings& port : settings.ports) worker_of_.push_back(port.worker);
        if (queues.workers() > 1) {
            most_frames_ =
                std::min(max_transfer, max_handed_over / (queues.workers() - std::size_t{1}));
        }
    }
    void configure(Bytes quantum) { most_octets_ = quantum; }

    // `output` is of another worker, and no grant from this one to it is under way. False: the
    // frame takes its VOQ.
    bool push(const Frame& frame, PortIndex output) {
        const WorkerIndex to = worker_of_[output];
        HandoffQueues::Queue& queue = queues_.between(self_, to);
        Way& way = ways_[to];
        UnderWay& under_way = under_way_[output];
        if (under_way.last > way.collected && !has_place(under_way, frame)) {
            way.collected = way.handed_over - queue.not_taken();
        }
        if (under_way.last <= way.collected) under_way = {};
        // Read after what was collected, since that may have filled it.
        if (!has_place(under_way, frame) || !crossbar_.shard(to).offers(output, frame.priority) ||
            !queue.stage({frame, output})) {
            return false;
        }
        under_way.last = ++way.handed_over;
        ++under_way.frames;
        under_way.octets += frame.size();
        staged_ |= 1U << to;
        return true;
    }
    // Once a burst: lets the others see it.
    void publish() {
        for (WorkerIndex to = 0; staged_ >> to != 0; ++to) {
            if ((staged_ >> to & 1U) != 0) queues_.between(self_, to).publish();
        }
        staged_ = 0;
    }

  private:
    // To another worker, frames ever.
    struct Way {
        uint64_t handed_over = 0;
        uint64_t collected = 0;  // as last seen
    };
    // To one output, what may not have been collected.
    struct UnderWay {
        uint64_t last = 0;  // number of the last one on its way
        std::size_t frames = 0;
        Bytes octets;
    };

    [[nodiscard]] bool has_place(const UnderWay& under_way, const Frame& frame) const {
        return under_way.frames < most_frames_ && under_way.octets + frame.size() <= most_octets_;
    }

    const WorkerIndex self_;
    HandoffQueues& queues_;
    Crossbar& crossbar_;
    std::vector<WorkerIndex> worker_of_;  // by port
    std::size_t most_frames_ = 0;
    Bytes most_octets_;
    uint32_t staged_ = 0;  // workers with something to see
    static_assert(max_workers <= 32);
    std::array<Way, max_workers> ways_{};
    std::array<UnderWay, max_ports> under_way_{};
};

}  // namespace sluice

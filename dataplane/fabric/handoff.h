// Handoff: the way past the VOQs to outputs of other workers. What one worker receives for an
// output of another, where no VOQ of its own waits for that output, goes into a queue between the
// two, and from there to its egress queue once that one collects. VPP calls it so where a packet
// changes threads.
//
// Such a frame takes no VOQ, needs no grant and is charged to no account. The receiving worker
// always takes everything out of the queue between the two, even frames that it cannot send yet, so
// that a paused priority holds up no other. Each egress queue has places for these frames
// (egress/egress_queue.h), apart from the room for grants. A worker hands over a frame only while
// the output reports room for the priority, and only as long as the frames that it handed over to
// that output and that were not collected yet are within its share of a transfer and within a
// quantum of octets.
// No frame overtakes another of its (input, output, priority): an output with a grant of the same
// worker under way is closed to this, and what was handed over is collected before what was posted
// (crossbar.h). Others see what was pushed once it is published, after the references that copies
// of a frame share are there (released.h).
// Bound: a push is O(1); 512 frames between two workers. What finds no place takes its VOQ.
// Not done here: whether anybody waits for the output; that is for Shard.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
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
        if (!queues_) return true;
        const std::span<const Queue> queues(queues_.get(), std::size_t{workers_} * workers_);
        return std::ranges::all_of(queues, &Queue::empty);
    }

  private:
    const uint8_t workers_;
    std::unique_ptr<Queue[]> queues_;
};

// What one worker hands over; that worker alone calls it.
class Handoff {
  public:
    Handoff(WorkerIndex self, const Settings& settings, HandoffQueues& queues, Crossbar& crossbar)
        : self_(self),
          queues_(queues),
          crossbar_(crossbar),
          most_frames_(max_transfer / std::max<std::size_t>(queues.workers() - 1U, 1)) {
        for (const PortSettings& port : settings.ports) worker_of_.push_back(port.worker);
    }
    void configure(Bytes quantum) { most_octets_ = quantum; }

    // `output` is of another worker, and no grant from this one to it is under way. False: the
    // frame takes its VOQ.
    bool push(const Frame& frame, PortIndex output) {
        const WorkerIndex to = worker_of_[output];
        HandoffQueues::Queue& queue = queues_.between(self_, to);
        Progress& progress = progress_[to];
        UnderWay& under_way = under_way_[output];
        if (!has_place(under_way, frame)) {
            progress.collected = progress.handed_over - queue.not_taken();
            under_way.forget(progress.collected);
        }
        // Read after what was collected, since that may have filled it.
        if (!has_place(under_way, frame) ||
            !crossbar_.shard(to).takes_handed_over(output, frame.priority) ||
            !queue.stage({frame, output})) {
            return false;
        }
        under_way.newer.add(++progress.handed_over, frame);
        staged_ |= 1U << to;
        return true;
    }
    // Once for all bursts of a poll: lets the others see it.
    void publish() {
        for (WorkerIndex to = 0; staged_ >> to != 0; ++to) {
            if ((staged_ >> to & 1U) != 0) queues_.between(self_, to).publish();
        }
        staged_ = 0;
    }

  private:
    // To another worker, frames ever.
    struct Progress {
        uint64_t handed_over = 0;
        uint64_t collected = 0;  // as last seen
    };
    struct Batch {
        uint64_t last = 0;  // number of its last frame on its way
        std::size_t frames = 0;
        Bytes octets;

        void add(uint64_t number, const Frame& frame) {
            last = number;
            ++frames;
            octets += frame.size();
        }
    };
    // To one output, what may not have been collected: in two parts, so that with frames always on
    // their way those that have arrived are forgotten.
    struct UnderWay {
        Batch older;
        Batch newer;

        void forget(uint64_t collected) {
            if (older.last <= collected) older = std::exchange(newer, {});
            if (older.last <= collected) older = {};
        }
    };

    [[nodiscard]] bool has_place(const UnderWay& under_way, const Frame& frame) const {
        const auto& [older, newer] = under_way;
        return older.frames + newer.frames < most_frames_ &&
               older.octets + newer.octets + frame.size() <= most_octets_;
    }

    const WorkerIndex self_;
    HandoffQueues& queues_;
    Crossbar& crossbar_;
    const std::size_t most_frames_;  // a transfer, shared by all that hand over to an output
    Bytes most_octets_;
    std::vector<WorkerIndex> worker_of_;  // by port
    uint32_t staged_ = 0;                 // workers with something to see
    static_assert(max_workers <= 32);
    std::array<Progress, max_workers> progress_{};
    std::array<UnderWay, max_ports> under_way_{};
};

}  // namespace sluice

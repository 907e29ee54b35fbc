// Handoff: bypass of the VOQs to outputs of other workers. A worker that receives a frame for an
// output of another worker, and has no frames for that output in its VOQs, puts the frame into a
// queue between the two workers. The other worker moves it from there to the egress queue. VPP uses
// the same word for a packet that changes threads.
//
// Such a frame uses no VOQ, needs no grant and is charged to no account. The collecting worker
// always empties the queue between the two, even of frames that it cannot send yet, so that a
// paused priority does not delay others. Each egress queue has places for these frames
// (egress/egress_queue.h), separate from the room for grants. A worker hands over a frame only
// while the output reports room for the priority, and while its frames to that output that are not
// collected yet are within its share (`share_of_handoff`). If the priority does not flow
// (egress/egress.h), they must also be within a quantum of octets.
// No frame overtakes another of its (input, output, priority): an output with a grant of the same
// worker under way is closed to handoff, and handed-over frames are collected before posted frames
// (crossbar.h). Pushed frames become visible to other workers by `publish`, after the references of
// flooded frames were added (released.h).
// Bound: a push is O(1), amortised; the queue between two workers has room for two bursts of each
// input of the sending worker, at least 512 frames. A frame that finds no place is queued in its
// VOQ.
// Not here: the check for frames in VOQs, which Shard does.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "dataplane/fabric/crossbar.h"
#include "dataplane/threads/single_producer_ring.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/hot_memory.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice {

// Aligned to its size, so that a machine with stores of 32 octets writes it by one store.
struct alignas(32) HandedOver {
    Frame frame;
    PortIndex output;
};
static_assert(sizeof(HandedOver) == 32);

// The queues from each worker to each other worker.
class HandoffQueues {
  public:
    using Queue = SingleProducerRing<HandedOver, given_at_start>;

    // `inputs`: the most inputs of any worker.
    explicit HandoffQueues(uint8_t workers, std::size_t inputs = 1)
        : workers_(workers),
          queues_(workers > 1 ? std::make_unique<Queue[]>(std::size_t{workers} * workers)
                              : nullptr) {
        // Room for all frames that the inputs receive in two polls.
        const std::size_t items = std::bit_ceil(2 * max_burst * std::max<std::size_t>(inputs, 4));
        for (WorkerIndex from = 0; from < workers_; ++from) {
            for (WorkerIndex to = 0; to < workers_ && workers_ > 1; ++to) {
                if (from != to) between(from, to).reserve(static_cast<uint32_t>(items));
            }
        }
    }
    [[nodiscard]] uint8_t workers() const { return workers_; }
    [[nodiscard]] Queue& between(WorkerIndex from, WorkerIndex to) {
        assert(from < workers_ && to < workers_ && from != to);
        return queues_[std::size_t{from} * workers_ + to];
    }
    // Visits and removes the frames handed over to `to`, for each worker the oldest first. Calls
    // `then` before the frames of a worker count as removed.
    template <class Visit, class Then>
    void take(WorkerIndex to, Visit visit, Then then) {
        for (WorkerIndex from = 0; from < workers_; ++from) {
            if (from != to) between(from, to).take(visit, then);
        }
    }
    [[nodiscard]] bool empty() const {  // called by any thread
        if (!queues_) return true;
        const std::span<const Queue> queues(queues_.get(), std::size_t{workers_} * workers_);
        return std::ranges::all_of(queues, &Queue::empty);
    }

  private:
    const uint8_t workers_;
    std::unique_ptr<Queue[]> queues_;
};

// Handoff: hands over the frames of one worker; only that worker calls it.
class Handoff {
  public:
    Handoff(WorkerIndex self, const Settings& settings, HandoffQueues& queues, Crossbar& crossbar)
        : most_frames_(share_of_handoff(queues.workers())), batches_(queues.workers()) {
        for (WorkerIndex worker = 0; worker < queues.workers(); ++worker) {
            if (worker == self) continue;
            batches_[worker].queue = &queues.between(self, worker);
            batches_[worker].shard = &crossbar.shard(worker);
        }
        for (PortIndex port = 0; port < settings.ports.size(); ++port) {
            outputs_[port].worker = settings.ports[port].worker;
        }
    }
    void configure(Bytes quantum) { most_octets_ = quantum; }

    // Hands over a frame to an output of another worker. Requires that no grant of this worker to
    // that output is under way. Returns false if there is no place; the caller then queues the
    // frame in its VOQ.
    bool push(const Frame& frame, PortIndex output) {
        Output& to = outputs_[output];
        Batch& batch = batches_[to.worker];
        assert(batch.queue != nullptr);
        const bool flows = batch.shard->flows(output, frame.priority);
        if (!has_place(to, batch, frame, flows)) forget_collected(*batch.queue);
        // The room is read after the count of collected frames, since collecting may have filled
        // the queue.
        if (!has_place(to, batch, frame, flows) ||
            !batch.shard->takes_handed_over(output, frame.priority)) {
            return false;
        }
        put(frame, output);
        return true;
    }
    // Returns how many frames of a priority find a place now, and may be passed to `put`; 0 if the
    // priority does not flow at the output.
    [[nodiscard]] std::size_t places(PortIndex output, Priority priority) {
        const Output& to = outputs_[output];
        Batch& batch = batches_[to.worker];
        forget_collected(*batch.queue);
        if (!batch.shard->flows(output, priority) ||
            !batch.shard->takes_handed_over(output, priority)) {
            return 0;
        }
        std::size_t left = most_frames_ - std::min(to.frames, most_frames_);
        while (left > 0 && !batch.queue->seems_to_have_room(batch.count + left)) left /= 2;
        return left;
    }
    void put(const Frame& frame, PortIndex output) {
        Output& to = outputs_[output];
        Batch& batch = batches_[to.worker];
        assert(batch.queue != nullptr && to.frames < most_frames_);
        if (batch.count == batch.items.size()) batch.stage();
        HandedOver& item = batch.items[batch.count++];
        item.frame = frame;
        item.output = output;
        ++to.frames;
        to.octets += frame.size();
        staged_ |= 1U << to.worker;
    }
    // Makes the frames visible to the other workers. Called once for all bursts of a poll.
    void publish() {
        for (WorkerIndex to = 0; staged_ >> to != 0; ++to) {
            if ((staged_ >> to & 1U) == 0) continue;
            batches_[to].stage();
            batches_[to].queue->publish();
        }
        staged_ = 0;
    }

  private:
    // An output of another worker.
    struct Output {
        WorkerIndex worker = 0;
        // Frames handed over and not known to be collected.
        std::size_t frames = 0;
        Bytes octets;
    };
    // Frames to one other worker. They are gathered in cache lines that only this core uses, and
    // copied to the queue later together, with one store each. A store to memory that another core
    // has read waits for that core, and so do all later stores, even those for the worker's own
    // outputs.
    struct alignas(64) Batch {
        void stage() { queue->stage(std::span(items).first(std::exchange(count, 0))); }

        std::array<HandedOver, max_burst> items;
        std::size_t count = 0;
        HandoffQueues::Queue* queue = nullptr;
        const Crossbar::Shard* shard = nullptr;
    };

    void forget_collected(HandoffQueues::Queue& queue) {
        queue.forget_taken([&](const HandedOver& collected) {
            Output& from = outputs_[collected.output];
            assert(from.frames > 0 && from.octets >= collected.frame.size());
            --from.frames;
            from.octets -= collected.frame.size();
        });
    }
    [[nodiscard]] bool has_place(const Output& to, const Batch& batch, const Frame& frame,
                                 bool flows) const {
        return to.frames < most_frames_ && (flows || to.octets + frame.size() <= most_octets_) &&
               batch.queue->seems_to_have_room(batch.count + 1);
    }

    const std::size_t most_frames_;  // limit of frames under way to one output
    Bytes most_octets_;
    uint32_t staged_ = 0;  // workers with frames to publish
    static_assert(max_workers <= 32);
    HotVector<Batch> batches_;  // indexed by worker
    std::array<Output, max_ports> outputs_{};
};

}  // namespace sluice

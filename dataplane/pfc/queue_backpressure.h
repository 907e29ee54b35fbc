// QueueBackpressure: keeps which priorities of one output its device refuses, if each priority has
// a transmit queue of its own: PFC by back-pressure (PfcBy::queues), in place of pause_gate.h.
//
// Such a device sends and obeys pauses by itself, or is a ring that the peer stops emptying. In
// both cases the switch sees no pause frame:
//   in     In place of an XOFF the worker stops polling the receive queue of the priority
//          (PauseSender::stop_queues, Ingress::stopped_queues). Later frames fill that queue,
//          then the buffer of the device, and then the device pauses the peer.
//   out    In place of a pause the transmit queue of the priority is full. Refused frames stay at
//          the head of their egress queue, and later ones in VOQs; other priorities continue.
// A refused priority counts as paused by the peer until the device accepts a frame of it again,
// which is tried once a poll. Whether the peer resumed in between is unknown. So a queue that is
// full because the wire is slow looks like a paused one. The watchdog works in both cases, since it
// checks whether frames were sent.
// With one ring for all priorities (PfcBy::ring), `in` applies to all priorities at once, and pause
// frames are obeyed instead of `out`.
// Bound: work only when a device refuses a frame, or accepts one that it had refused.
// Not done here: mapping queues to priorities (pmd_glue/nic/lossless_queues.h). Only its worker
// calls it; any thread may read counters and histories.
#pragma once

#include <array>
#include <span>

#include "dataplane/pfc/time_history.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

class QueueBackpressure {
  public:
    // Notes that the transmit queue of the priority had no room for the next frame.
    void refuse(Priority priority, Nanos now) {
        const PrioritySet bit = only_priority(priority);
        if ((refused_ & bit) != 0) return;
        refused_ |= bit;
        refusals_[priority].add(1);
        history_[priority].begin(now);
    }
    // Notes that the device accepted these frames.
    void took(std::span<const Frame> frames, Nanos now) {
        if (refused_ == 0) return;
        for (const Frame& frame : frames) resume(only_priority(frame.priority), now);
    }
    // Resumes these priorities, which have no frame left to try.
    void resume(PrioritySet priorities, Nanos now) {
        for_each_priority(refused_ & priorities, [&](Priority priority) {
            refused_ = static_cast<PrioritySet>(refused_ & ~only_priority(priority));
            history_[priority].end(now);
        });
    }

    // Returns the priorities that count as paused.
    [[nodiscard]] PrioritySet refused() const { return refused_; }
    // Returns how often a refusal of the priority began.
    [[nodiscard]] uint64_t refusals(Priority priority) const { return refusals_[priority].value(); }
    // Returns how long the refusals lasted.
    [[nodiscard]] const TimeHistory& history(Priority priority) const { return history_[priority]; }

  private:
    PrioritySet refused_ = 0;
    std::array<Counter, max_priorities> refusals_;
    std::array<TimeHistory, max_priorities> history_;
};

}  // namespace sluice

// QueueBackpressure: which priorities of one output its device refuses, where each has a transmit
// queue of its own: PFC by back-pressure (PfcBy::queues), in place of pause_gate.h.
//
// Such a device pauses its peer and obeys it by itself, or is a ring that a peer stops to empty. No
// pause frame is seen here, either way:
//   in     In place of an XOFF the worker leaves the receive queue of the priority alone
//          (PauseSender::stop_queues, Ingress::stopped_queues). What still comes fills that queue,
//          then the buffer of the device, and then the device pauses the peer.
//   out    In place of a pause the transmit queue of the priority is full. What it refuses stays at
//          the head of its egress queue, and behind it in VOQs, while the other priorities go on.
// A priority that was refused counts as paused by its peer until the device takes a frame of it
// again, which is tried once a poll; whether the peer resumed in between cannot be known. So a
// queue that is full because the wire is slow looks like one that is paused. The watchdog is right
// in both cases, since it goes by whether frames were sent.
// With one ring for all (PfcBy::ring) `in` is the same for all priorities at once, and pause frames
// are obeyed in place of `out`.
// Bound: nothing is asked of it but where a device refused, or once took what it had refused.
// Not done here: which queue is of which priority (pmd_glue/nic/lossless_queues.h). Its worker
// alone touches it; counters and histories may be read.
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
    // Its queue had no room for the next frame of it.
    void refuse(Priority priority, Nanos now) {
        const PrioritySet bit = only_priority(priority);
        if ((refused_ & bit) != 0) return;
        refused_ |= bit;
        refusals_[priority].add(1);
        history_[priority].begin(now);
    }
    // The device took these.
    void took(std::span<const Frame> frames, Nanos now) {
        if (refused_ == 0) return;
        for (const Frame& frame : frames) resume(only_priority(frame.priority), now);
    }
    // These have no frame left to try whether the device takes one: they count as resumed.
    void resume(PrioritySet priorities, Nanos now) {
        for_each_priority(refused_ & priorities, [&](Priority priority) {
            refused_ = static_cast<PrioritySet>(refused_ & ~only_priority(priority));
            history_[priority].end(now);
        });
    }

    // Held, as far as is known.
    [[nodiscard]] PrioritySet refused() const { return refused_; }
    // How often that began.
    [[nodiscard]] uint64_t refusals(Priority priority) const { return refusals_[priority].value(); }
    // For how long it lasted.
    [[nodiscard]] const TimeHistory& history(Priority priority) const { return history_[priority]; }

  private:
    PrioritySet refused_ = 0;
    std::array<Counter, max_priorities> refusals_;
    std::array<TimeHistory, max_priorities> history_;
};

}  // namespace sluice

// PauseObedience: whether the peer of one port obeys the pauses that it is sent: frames of a
// paused priority that still arrive when none can be on its way any more.
//
// A frame counts if it arrived `within` or later after the XOFF left: a round trip, the peer's
// response, and what the XOFF may have waited for. When a frame arrived is known from polls alone:
// after one that emptied the device's receive ring, so one that was polled late is not taken for
// one that came late. The first such frames may be there because the XOFF was lost, so it is sent
// again at once, and nothing is said. Those that come `within` and `patience` after that, too, were
// sent by a peer that obeys no pauses, or far later than its settings say: they are counted.
// `patience` is for what no setting bounds: an XOFF that waits behind a full transmit ring; and at
// interfaces of the kernel its queues, both ways. Those are emptied by a thread that the scheduler
// may keep waiting, so frames that the peer sent in time come late, and an XOFF reaches it late,
// with no mark of that on either.
// What is counted is told apart from a headroom that is too small, which an obedient peer overruns
// before that time is over.
// Bound: nothing while no priority pauses; then a look at each lossless frame that is queued, and
// at eight words a burst.
// Not done here: ports with lanes, whose bursts are several workers'; pauses that are no frames.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

class PauseObedience {
  public:
    // `within` 0: nobody is judged.
    void configure(Nanos within, Nanos patience) {
        within_ = within;
        patience_ = patience;
    }

    // The XOFFs of these left, the first of their pauses.
    void paused(PrioritySet priorities, Nanos now) {
        for_each_priority(priorities, [&](Priority priority) {
            since_[priority] = now;
            arrived_[priority] = 0;
        });
        repeated_ = static_cast<PrioritySet>(repeated_ & ~priorities);
        paused_ |= priorities;
    }
    // Their XONs left.
    void resumed(PrioritySet priorities) {
        paused_ = static_cast<PrioritySet>(paused_ & ~priorities);
    }

    // A frame of a priority that pauses was queued, or found no place.
    void arrived(Priority priority) { ++arrived_[priority]; }

    // After each burst, while anything pauses. `emptied`: nothing more waited to be received.
    // Returns the priorities whose XOFF should be sent again now.
    PrioritySet judge(bool emptied, Nanos now) {
        PrioritySet again = 0;
        if (within_.count() > 0) {
            for_each_priority(paused_, [&](Priority priority) {
                const uint32_t frames = std::exchange(arrived_[priority], 0);
                const PrioritySet bit = only_priority(priority);
                const bool is_repeated = (repeated_ & bit) != 0;
                const Nanos longest = is_repeated ? within_ + patience_ : within_;
                if (frames == 0 || empty_at_ < since_[priority] + longest) return;
                if (is_repeated) {
                    late_[priority].add(frames);
                } else {
                    again |= bit;
                    repeats_[priority].add(1);
                    since_[priority] = now;
                }
            });
            repeated_ |= again;
        }
        if (emptied) empty_at_ = now;
        return again;
    }

    // Frames that came in spite of an XOFF and its repetition.
    [[nodiscard]] uint64_t late(Priority priority) const { return late_[priority].value(); }
    // XOFFs that were sent again since frames still came.
    [[nodiscard]] uint64_t repeats(Priority priority) const { return repeats_[priority].value(); }

  private:
    static constexpr Nanos long_ago{INT64_MIN / 2};

    Nanos within_{0};
    Nanos patience_{0};
    Nanos empty_at_ = long_ago;  // nothing waited to be received
    PrioritySet paused_ = 0;
    PrioritySet repeated_ = 0;  // in this pause
    std::array<Nanos, max_priorities> since_{};
    std::array<uint32_t, max_priorities> arrived_{};
    std::array<Counter, max_priorities> late_;
    std::array<Counter, max_priorities> repeats_;
};

}  // namespace sluice

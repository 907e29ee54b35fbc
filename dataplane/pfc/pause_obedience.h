// PauseObedience: detects whether the peer of one port obeys pauses: counts frames of a paused
// priority that arrive when none can be under way any more.
//
// A frame is late if it arrived `within` or later after the XOFF left; `within` is a round trip,
// the peer's response, and the time that the XOFF may have waited. The arrival time is known only
// from polls: a frame arrived after the last poll that emptied the device's receive ring, so a
// frame that was polled late is not taken for late. The first late frames may arrive because the
// XOFF was lost, so the XOFF is sent again at once, and they are not counted. Frames that still
// come `within` plus `patience` after that are counted: the peer obeys no pauses, or obeys far
// later than its settings say. `patience` covers delays that no setting bounds: an XOFF behind a
// full transmit ring, and the kernel's queues in both directions at interfaces of the kernel. A
// thread that the scheduler may delay empties these queues, so frames that the peer sent in time
// arrive late, and an XOFF reaches the peer late, without any sign of it.
// The count is distinct from a headroom that is too small, which an obedient peer overruns before
// that time is over.
// Bound: nothing while no priority pauses; then one look for each lossless frame that is queued,
// and eight words a burst.
// Not done here: ports with lanes, whose bursts belong to several workers; pauses without pause
// frames.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <utility>

#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

class PauseObedience {
  public:
    // `within` 0: off.
    void configure(Nanos within, Nanos patience) {
        within_ = within;
        patience_ = patience;
    }

    // The first XOFFs of these pauses have left.
    void paused(PrioritySet priorities, Nanos now) {
        assert((paused_ & priorities) == 0);
        for_each_priority(priorities, [&](Priority priority) {
            since_[priority] = now;
            arrived_[priority] = 0;
        });
        repeated_ = static_cast<PrioritySet>(repeated_ & ~priorities);
        paused_ |= priorities;
    }
    // The XONs of these priorities have left.
    void resumed(PrioritySet priorities) {
        assert((priorities & ~paused_) == 0);
        paused_ = static_cast<PrioritySet>(paused_ & ~priorities);
    }

    // A frame of a paused priority was queued or dropped for want of room.
    void arrived(Priority priority) { ++arrived_[priority]; }

    // Call after each burst, while any priority pauses. `emptied`: nothing more waits to be
    // received. Returns the priorities whose XOFF should be sent again now.
    PrioritySet judge(bool emptied, Nanos now) {
        assert(now >= empty_at_);
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

// PauseObedience: detects whether the peer of one port obeys pauses: counts frames of a paused
// priority that arrive when an obedient peer can have none under way.
//
// A frame is late if it arrived `within` or later after the XOFF was sent; `within` is a round
// trip, the peer's response, and the time for which the XOFF may have been queued. The arrival time
// is known only from polls: a frame arrived after the last poll that emptied the device's receive
// ring, so a frame that was polled late does not count as late. The first late frames may arrive
// because the XOFF was lost, so the XOFF is sent again at once, and they are not counted. Frames
// that still arrive `within` plus `patience` after that are counted: the peer obeys no pauses, or
// obeys far later than its settings allow. `patience` covers delays that no setting bounds: an XOFF
// behind a full transmit ring, and the kernel's queues in both directions at interfaces of the
// kernel. A thread that the scheduler may delay empties these queues, so frames that the peer sent
// in time arrive late, and an XOFF reaches the peer late, without any sign of it.
// Frames that overrun a headroom that is too small are counted separately (headroom_overrun): even
// an obedient peer sends such frames, before `within` is over.
// Bound: no work while no priority pauses; then one check for each lossless frame that is queued,
// and eight words a burst.
// Not done here: ports with lanes, whose bursts belong to several workers; pauses without pause
// frames.
#pragma once

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
    // Sets the times; `within` 0: obedience is not checked.
    void configure(Nanos within, Nanos patience) {
        within_ = within;
        patience_ = patience;
    }

    // Notes that the first XOFFs of these priorities were sent.
    void paused(PrioritySet priorities, Nanos now) {
        assert((paused_ & priorities) == 0);
        for_each_priority(priorities, [&](Priority priority) {
            since_[priority] = now;
            arrived_[priority] = 0;
        });
        repeated_ = static_cast<PrioritySet>(repeated_ & ~priorities);
        paused_ |= priorities;
    }
    // Notes that the XONs of these priorities were sent.
    void resumed(PrioritySet priorities) {
        assert((priorities & ~paused_) == 0);
        paused_ = static_cast<PrioritySet>(paused_ & ~priorities);
    }

    // Counts a frame of a paused priority that was queued, or dropped for lack of room.
    void arrived(Priority priority) { ++arrived_[priority]; }

    // To be called after each burst while any priority pauses. `emptied`: the receive ring is
    // empty. Returns the priorities whose XOFF should be sent again now.
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

    // Returns the number of frames that arrived in spite of an XOFF and its repetition.
    [[nodiscard]] uint64_t late(Priority priority) const { return late_[priority].value(); }
    // Returns the number of XOFFs that were sent again because frames still arrived.
    [[nodiscard]] uint64_t repeats(Priority priority) const { return repeats_[priority].value(); }

  private:
    static constexpr Nanos long_ago{INT64_MIN / 2};

    Nanos within_{0};
    Nanos patience_{0};
    Nanos empty_at_ = long_ago;  // time of the last poll that emptied the receive ring
    PrioritySet paused_ = 0;
    PrioritySet repeated_ = 0;  // priorities whose XOFF was repeated in this pause
    std::array<Nanos, max_priorities> since_{};
    std::array<uint32_t, max_priorities> arrived_{};
    std::array<Counter, max_priorities> late_;
    std::array<Counter, max_priorities> repeats_;
};

}  // namespace sluice

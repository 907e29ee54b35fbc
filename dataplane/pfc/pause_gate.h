// PauseGate: which priorities of one output the peer has paused, and until when.
//
// A pause lasts its quanta at the port's speed from the moment it is heard; a new one replaces it,
// a time of 0 ends it, and it ends by itself. Only the priorities that the port honours (its
// lossless ones) can be paused: a lossy priority ignores PFC.
// Bound: asking costs one comparison while nothing is paused.
// Follows 802.1Q 36.1.3 and annex O.
#pragma once

#include <array>

#include "dataplane/counters.h"
#include "dataplane/limits.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/units.h"

namespace sluice {

class PauseGate {
  public:
    void configure(PrioritySet honoured, BitsPerSecond speed) {
        honoured_ = honoured;
        speed_ = speed;
    }

    void hear(const PauseFrame& pause, Nanos now) {
        expire(now);
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            const PrioritySet bit = only_priority(priority);
            if ((pause.enabled & honoured_ & bit) == 0) continue;
            if (pause.time[priority] == 0) {
                end(priority, now);
                continue;
            }
            heard_[priority].add(1);
            if ((paused_ & bit) == 0) since_[priority] = now;
            paused_ |= bit;
            until_[priority] = now + pause_time(Quanta(pause.time[priority]), speed_);
        }
    }

    // The priorities that must not be sent at `now`.
    [[nodiscard]] PrioritySet paused(Nanos now) {
        if (paused_ != 0) expire(now);
        return paused_ & honoured_;
    }

    [[nodiscard]] uint64_t heard(Priority priority) const { return heard_[priority].value(); }
    // Of the pauses that have ended.
    [[nodiscard]] uint64_t paused_nanos(Priority priority) const {
        return total_[priority].value();
    }

  private:
    void expire(Nanos now) {
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            if (now >= until_[priority]) end(priority, until_[priority]);
        }
    }
    void end(Priority priority, Nanos at) {
        const PrioritySet bit = only_priority(priority);
        if ((paused_ & bit) == 0) return;
        paused_ = static_cast<PrioritySet>(paused_ & ~bit);
        total_[priority].add(static_cast<uint64_t>((at - since_[priority]).count()));
    }

    PrioritySet paused_ = 0;
    PrioritySet honoured_ = 0;
    BitsPerSecond speed_{1};
    std::array<Nanos, max_priorities> until_;
    std::array<Nanos, max_priorities> since_;
    std::array<Counter, max_priorities> heard_;  // XOFFs
    std::array<Counter, max_priorities> total_;
};

}  // namespace sluice

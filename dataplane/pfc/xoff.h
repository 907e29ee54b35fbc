// Xoff: what one port has told its peer to pause, and what it still has to tell.
//
// A change is owed until a frame that carries it was sent; changes of several priorities go out in
// one frame. While a priority pauses, its XOFF is sent again after half the time that it asked for,
// so the peer's timer does not end by itself. One XON ends a pause.
// Bound: at most one frame owed; a change and its reverse before a frame went out cost one frame.
// Not done here: the levels (buffer/ingress_group.h). Follows 802.1Q 36.1.3.
#pragma once

#include <array>

#include "dataplane/counters.h"
#include "dataplane/limits.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/settings.h"
#include "dataplane/units.h"

namespace sluice {

class Xoff {
  public:
    void configure(Quanta pause, BitsPerSecond speed) {
        pause_ = pause;
        refresh_after_ = pause_time(pause, speed) / 2;
    }

    void pause(Priority priority) { set(pausing() | only_priority(priority)); }
    void resume(Priority priority) {
        set(static_cast<PrioritySet>(pausing() & ~only_priority(priority)));
    }
    void resume_all() { set(0); }

    [[nodiscard]] PrioritySet pausing() const {
        return static_cast<PrioritySet>(pausing_.load(std::memory_order_relaxed));
    }
    // True when a frame should go out now.
    [[nodiscard]] bool due(Nanos now) const {
        return owed_ != 0 || (pausing() != 0 && now - sent_at_ >= refresh_after_);
    }
    // The frame to send: what changed, and everything that pauses, so that all timers start again.
    [[nodiscard]] PauseFrame frame() const;
    // That frame has been given to the device.
    void sent(Nanos now);

    [[nodiscard]] uint64_t xoff_sent(Priority priority) const { return xoffs_[priority].value(); }
    [[nodiscard]] uint64_t xon_sent(Priority priority) const { return xons_[priority].value(); }

  private:
    void set(PrioritySet pausing_now) {
        owed_ |= static_cast<PrioritySet>(pausing() ^ pausing_now);
        pausing_.store(pausing_now, std::memory_order_relaxed);
    }

    std::atomic<PrioritySet> pausing_{0};
    PrioritySet owed_ = 0;
    Quanta pause_{65535};
    Nanos refresh_after_;
    Nanos sent_at_;
    std::array<Counter, max_priorities> xoffs_;
    std::array<Counter, max_priorities> xons_;
};

}  // namespace sluice

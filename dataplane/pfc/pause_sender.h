// PauseSender: the sending side of PFC at one port: which priorities its peer has to pause, and
// which changes have not been sent yet.
//
// A change is pending until a pause frame that carries it was sent; changes of several priorities
// share one frame. While a priority is paused its XOFF is repeated after half of its pause time, so
// that the peer's timer does not run out. One XON ends a pause. XOFF is repeated as well once the
// link is seen to be back, since a pause frame may have been lost with the link.
// A priority is paused for reasons of this port, or because the port at the other end of a relay
// asked for it (pause_relay.h), until both reasons are gone. Relayed pauses have frames of their
// own, since these carry the number of relays; a priority paused for both reasons goes into the
// relayed frame. One number counts for all priorities of that frame: the highest.
// With a limit of frames a second XONs may have to wait. An XOFF never waits. A refresh never waits
// either, is not counted, and carries pending changes.
// At a port whose device does PFC by itself (queue_backpressure.h) no frame is sent: to pause a
// priority is to stop polling its receive queue, and `stop_queues` only records that it was
// stopped.
// Bound: at most one frame is pending, or two if relayed pauses are among the changes. A change
// that is undone before its frame was sent needs no frame.
// Not done here: the levels (buffer/ingress_priority_group.h). Follows 802.1Q 36.1.3.
#pragma once

#include <array>
#include <atomic>

#include "dataplane/pfc/pause_bits.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/time_history.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

class PauseSender {
  public:
    // `limit`: frames a second, 0: none. `bits`: how frames name priorities; if they change, the
    // peer is to be sent the new names at once.
    void configure(Quanta pause, BitsPerSecond speed, uint32_t limit, const PauseBits& bits = {}) {
        if (bits != bits_) repeat();
        bits_ = bits;
        const Nanos refresh_after = pause_time(pause, speed) / 2;
        // The peer's timer runs with the old pause time: send the new one at once.
        if (refresh_after != refresh_after_) repeat();
        pause_ = pause;
        refresh_after_ = refresh_after;
        // A pause takes two frames.
        xon_after_ = Nanos(limit == 0 ? 0 : 2'000'000'000 / limit);
    }
    // Sends the XOFFs of all paused priorities again.
    void repeat() { sent_at_ = long_ago; }
    // Instead of `configure`, for a port that sends no pause frames.
    void configure_without_frames() {
        refresh_after_ = never;
        xon_after_ = Nanos(0);
    }

    void pause(Priority priority) { pause_only(own_ | only_priority(priority)); }
    void resume(Priority priority) {
        pause_only(static_cast<PrioritySet>(own_ & ~only_priority(priority)));
    }
    // Sets the priorities that are paused for reasons of this port.
    void pause_only(PrioritySet priorities) {
        own_ = priorities;
        note_pausing();
    }
    // Sets the priorities that are paused for a relay. `relays` goes into their frames: the highest
    // number of relays that any of these pauses came through, this switch's included.
    void pause_for_relay(PrioritySet priorities, uint8_t relays = 0) {
        relayed_ = priorities;
        relays_ = relays;
        note_pausing();
    }
    // At shutdown: XONs are sent at once, whatever the limit.
    void resume_all() {
        relayed_ = 0;
        pause_only(0);
        xon_after_ = Nanos(0);
    }

    [[nodiscard]] PrioritySet pausing() const {
        return static_cast<PrioritySet>(pausing_.load(std::memory_order_relaxed));
    }
    [[nodiscard]] bool pausing(Priority priority) const {
        return (pausing() & only_priority(priority)) != 0;
    }
    // The priorities paused for reasons of this port.
    [[nodiscard]] PrioritySet own_pauses() const { return own_; }
    [[nodiscard]] bool pauses_itself(Priority priority) const {
        return (own_ & only_priority(priority)) != 0;
    }
    // Whether a frame should be sent now.
    [[nodiscard]] bool due(Nanos now) const {
        if (at_rest()) return false;
        if ((pausing() & (~announced() | left_)) != 0) return true;
        if (is_pending() && now - changed_at_ >= xon_after_) return true;
        return pausing() != 0 && now - sent_at_ >= refresh_after_;
    }
    // Nothing is paused, and the peer has been sent that.
    [[nodiscard]] bool at_rest() const { return (pausing() | announced()) == 0; }
    // Whether there is a change that the peer has not been sent yet.
    [[nodiscard]] bool is_pending() const { return pausing() != announced(); }
    // The pauses that the peer was sent last (any thread).
    [[nodiscard]] PrioritySet announced() const {
        return announced_.load(std::memory_order_relaxed);
    }
    // The frame to send: every change, and every priority that is paused, so that all timers
    // restart. If some pauses are relayed and some are not, it takes two calls.
    [[nodiscard]] PauseFrame frame() const;
    // The device took that frame.
    void sent(Nanos now);
    // Instead of both, for a port without pause frames: receive queues of the paused priorities are
    // left alone from now on.
    void stop_queues(Nanos now);

    [[nodiscard]] uint64_t xoff_sent(Priority priority) const { return xoffs_[priority].value(); }
    [[nodiscard]] uint64_t xon_sent(Priority priority) const { return xons_[priority].value(); }
    // How often polling of a receive queue was stopped.
    [[nodiscard]] uint64_t stops(Priority priority) const { return stops_[priority].value(); }
    // For how long the peer was paused.
    [[nodiscard]] const TimeHistory& history(Priority priority) const { return history_[priority]; }

  private:
    static constexpr Nanos long_ago{INT64_MIN / 2};
    static constexpr Nanos never{INT64_MAX};

    void note_pausing() {
        pausing_.store(own_ | relayed_, std::memory_order_relaxed);
        left_ = static_cast<PrioritySet>(left_ & pausing());
    }
    // The paused priorities that the next frame carries.
    [[nodiscard]] PrioritySet next() const;
    // The peer was sent the state of the priorities `carried`.
    void announce(Nanos now, PrioritySet carried);

    PrioritySet own_ = 0;
    PrioritySet relayed_ = 0;
    uint8_t relays_ = 0;    // the most relays that any pause in `relayed_` came through
    PrioritySet left_ = 0;  // for a second frame, when one of two went out
    std::atomic<PrioritySet> pausing_{0};
    std::atomic<PrioritySet> announced_{0};  // what the frames that went out pause
    Quanta pause_{65535};
    Nanos refresh_after_;
    Nanos xon_after_;
    Nanos sent_at_ = long_ago;
    Nanos changed_at_ = long_ago;  // when a frame last carried a change
    std::array<Counter, max_priorities> xoffs_;
    std::array<Counter, max_priorities> xons_;
    std::array<Counter, max_priorities> stops_;
    std::array<TimeHistory, max_priorities> history_;
    PauseBits bits_;
};

}  // namespace sluice

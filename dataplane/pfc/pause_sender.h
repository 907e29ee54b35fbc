// PauseSender: the sending side of PFC at one port: keeps which priorities its peer has to pause,
// and which changes have not been sent yet.
//
// A change is pending until a pause frame with it was sent; changes of several priorities share one
// frame. While a priority is paused its XOFF is repeated after half of its pause time, so that the
// peer's timer does not run out. One XON ends a pause. XOFF is also repeated when the link is up
// again, since a pause frame may have been lost with the link.
// A priority is paused for reasons of this port, or for the port at the other end of a relay
// (pause_relay.h), until both reasons are gone. Relayed pauses have frames of their own, since
// these contain the number of relays; a priority paused for both reasons is in the relayed frame.
// The number is the highest of all priorities in that frame.
// With a limit of frames a second an XON may have to wait. An XOFF never waits. A refresh never
// waits either, is not counted, and contains pending changes.
// At a port whose device does PFC by itself (queue_backpressure.h) no frame is sent: the worker
// stops polling the receive queue of a paused priority, and `stop_queues` only records that.
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
    // `limit`: frames a second, 0: none. `bits`: the bits that stand for each priority in frames;
    // if they change, XOFFs are sent again at once.
    void configure(Quanta pause, BitsPerSecond speed, uint32_t limit, const PauseBits& bits = {}) {
        if (bits != bits_) repeat();
        bits_ = bits;
        const Nanos refresh_after = pause_time(pause, speed) / 2;
        // The peer's timer runs with the old pause time, so the new one is sent at once.
        if (refresh_after != refresh_after_) repeat();
        pause_ = pause;
        refresh_after_ = refresh_after;
        // A pause takes two frames: XOFF and XON.
        xon_after_ = Nanos(limit == 0 ? 0 : 2'000'000'000 / limit);
    }
    // Sends the XOFFs of all paused priorities again.
    void repeat() { sent_at_ = long_ago; }
    // Used instead of `configure` for a port that sends no pause frames.
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
    // Sets the priorities that are paused for a relay. `relays`, for their frames: the highest
    // number of relays that any of these pauses passed, including this switch's.
    void pause_for_relay(PrioritySet priorities, uint8_t relays = 0) {
        relayed_ = priorities;
        relays_ = relays;
        note_pausing();
    }
    // Ends all pauses at shutdown. XONs are sent at once, whatever the limit.
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
    // Returns the priorities paused for reasons of this port.
    [[nodiscard]] PrioritySet own_pauses() const { return own_; }
    [[nodiscard]] bool pauses_itself(Priority priority) const {
        return (own_ & only_priority(priority)) != 0;
    }
    // Returns whether a frame should be sent now.
    [[nodiscard]] bool due(Nanos now) const {
        if (at_rest()) return false;
        if ((pausing() & (~announced() | left_)) != 0) return true;
        if (is_pending() && now - changed_at_ >= xon_after_) return true;
        return pausing() != 0 && now - sent_at_ >= refresh_after_;
    }
    // Returns whether nothing is paused, and all XONs were sent to the peer.
    [[nodiscard]] bool at_rest() const { return (pausing() | announced()) == 0; }
    // Returns whether a change has not been sent to the peer yet.
    [[nodiscard]] bool is_pending() const { return pausing() != announced(); }
    // Returns the pauses that were most recently sent to the peer (any thread).
    [[nodiscard]] PrioritySet announced() const {
        return announced_.load(std::memory_order_relaxed);
    }
    // Returns the frame to send: every change, and every paused priority, so that all timers
    // restart. If some pauses are relayed and some are not, two calls are needed.
    [[nodiscard]] PauseFrame frame() const;
    // Notes that the device accepted the frame that `frame` returned.
    void sent(Nanos now);
    // Used instead of `frame` and `sent` for a port without pause frames: records that the worker
    // stops polling the receive queues of the paused priorities.
    void stop_queues(Nanos now);

    [[nodiscard]] uint64_t xoff_sent(Priority priority) const { return xoffs_[priority].value(); }
    [[nodiscard]] uint64_t xon_sent(Priority priority) const { return xons_[priority].value(); }
    // Returns how often polling of a receive queue was stopped.
    [[nodiscard]] uint64_t stops(Priority priority) const { return stops_[priority].value(); }
    // Returns the times for which the peer was paused.
    [[nodiscard]] const TimeHistory& history(Priority priority) const { return history_[priority]; }

  private:
    static constexpr Nanos long_ago{INT64_MIN / 2};
    static constexpr Nanos never{INT64_MAX};

    void note_pausing() {
        pausing_.store(own_ | relayed_, std::memory_order_relaxed);
        left_ = static_cast<PrioritySet>(left_ & pausing());
    }
    // Returns the paused priorities of the next frame.
    [[nodiscard]] PrioritySet next() const;
    // Records that the state of the priorities `carried` was sent to the peer.
    void announce(Nanos now, PrioritySet carried);

    PrioritySet own_ = 0;
    PrioritySet relayed_ = 0;
    uint8_t relays_ = 0;    // the highest number of relays that any pause in `relayed_` passed
    PrioritySet left_ = 0;  // priorities for a second frame, after the first of two
    std::atomic<PrioritySet> pausing_{0};
    std::atomic<PrioritySet> announced_{0};  // pauses that were sent to the peer
    Quanta pause_{65535};
    Nanos refresh_after_;
    Nanos xon_after_;
    Nanos sent_at_ = long_ago;
    Nanos changed_at_ = long_ago;  // time of the last frame with a change
    std::array<Counter, max_priorities> xoffs_;
    std::array<Counter, max_priorities> xons_;
    std::array<Counter, max_priorities> stops_;
    std::array<TimeHistory, max_priorities> history_;
    PauseBits bits_;
};

}  // namespace sluice

// PauseGate: keeps which priorities of one output the peer has paused, and until when.
//
// A pause lasts for its quanta, at the port's speed, from the poll that received it. A new pause
// replaces it, a time of 0 ends it, and it ends when its time is over. PFC can pause only
// priorities that the port honours: its lossless priorities, and those that are sent with the same
// bits (pause_bits.h); on an asymmetric port, all priorities. 802.3x pauses all priorities. XOFFs
// above the limit of frames a second have no effect. Within that limit, pauses of relayed
// priorities are relayed to the relay's other end and pause nothing here (pause_relay.h). Pauses
// that the relay refuses are obeyed here, and so are all pauses while the relay's other end has no
// peer to pause.
//
// A worker that polls late obeys a pause late, from the poll that received it; the peer may already
// have ended it. For the watchdog the gate therefore also keeps the earliest time at which the
// pauses received so far can have ended: each may have arrived right after the previous poll, but
// not before the previous pause was over. Example: pauses of 33 ms are received at 0, 83 and 166
// ms, without other polls in between. The second can have ended at 33 + 33 = 66 ms, and the third
// arrived after 83 ms, so the peer did not pause in between, and `take_resumed` returns the
// priority.
// If a worker loses its core in the middle of a poll, its `now` is too old. It calls
// `received_until` after the poll, and the frames of that poll count as received at its end.
// Bound: `paused` costs one comparison while nothing is paused.
// Follows 802.1Q 36.1.3 and annex O, 802.3 annex 31B.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <utility>

#include "dataplane/pfc/frame_limit.h"
#include "dataplane/pfc/pause_bits.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/pause_relay.h"
#include "dataplane/pfc/time_history.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class PauseGate {
  public:
    // Applies the settings. A pause in force continues, here or at the relay, if the settings move
    // its priority from one to the other.
    void configure(const PfcSettings& pfc, BitsPerSecond speed) {
        const PrioritySet relayed = relay_.taken();
        const PrioritySet obeyed = paused_ & honoured_;
        relay_.configure(pfc.relay, speed);
        for_each_priority(obeyed & relay_.own(), [&](Priority priority) {
            const Last& last = last_[priority];
            relay_.go_on(priority, {last.received_at, until_[priority], last.relays});
        });
        bits_.configure(pfc, speed);
        honoured_ = static_cast<PrioritySet>(bits_.obeying() & ~relay_.own());
        speed_ = speed;
        hand_over(relayed & pfc.lossless, Nanos(0));
        link_pause_ = pfc.link_pause;
        limit_.configure(pfc.rx_limit);
    }
    // Sets whether the relay works: `works` is true if the relay's other end has link and its probe
    // is still answered. While the relay does not work, pauses are obeyed here. A pause in force
    // continues, here or at the relay.
    void use_relay(bool works, Nanos now) {
        if (works == relay_.works()) return;
        expire(now);
        const PrioritySet relayed = relay_.asked(now);
        relay_.use(works, now);
        hand_over(relayed, now);
    }

    // Receives a pause frame that arrived after `before`, the previous poll of the port. Returns
    // false if the frame is above the limit of frames a second; then only the ends of pauses took
    // effect.
    bool receive(const PauseFrame& frame, Nanos now, Nanos before) {
        assert(before <= now);
        const PauseFrame pause = bits_.translates() ? bits_.to_priorities(frame, now) : frame;
        if (frame.enabled == 0) [[unlikely]] {
            relay_.receive_probe(pause, now);
            return true;
        }
        PrioritySet relayed = pause.enabled & relay_.own();
        auto meant = static_cast<PrioritySet>(pause.enabled &
                                              (pause.whole_link ? 0xFF : honoured_) & ~relayed);
        const PrioritySet held = held_by(pause, meant | relayed);
        const bool beyond = held != 0 && !limit_.takes(now);
        if (bits_.translates()) bits_.take(frame, now, beyond);
        if (beyond) {
            meant = static_cast<PrioritySet>(meant & ~held);
            relayed = static_cast<PrioritySet>(relayed & ~held);
        }
        if (relayed != 0) [[unlikely]]
            meant |= give_to_relay(pause, relayed, now);
        expire(now);
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            const PrioritySet bit = only_priority(priority);
            if ((meant & bit) == 0) continue;
            if (pause.time[priority] == 0) {
                resume(priority, now);
                continue;
            }
            xoffs_received_[priority].add(1);
            if ((paused_ & bit) == 0) history_[priority].begin(now);
            paused_ |= bit;
            Last& last = last_[priority];
            last.relays = pause.relays;
            if (reaches_[priority] < before) resumed_ |= bit;
            const bool same_poll = last.received_at == now;
            last.came = std::max(same_poll ? last.came + last.length : reaches_[priority], before);
            last.length = pause_time(Quanta(pause.time[priority]), speed_);
            last.received_at = now;
            begin_again(priority, now);
        }
        return !beyond;
    }

    // Receives a frame that arrived exactly at `now`.
    bool receive(const PauseFrame& pause, Nanos now) { return receive(pause, now, now); }

    // Corrects the pauses that were received at the time `then`: they count from `now`, the latest
    // time at which they may have arrived. To be called before the next `paused`.
    void received_until(Nanos now, Nanos then) {
        assert(now >= then);
        for (PrioritySet left = paused_; left != 0; left &= left - 1) {
            const auto priority = static_cast<Priority>(std::countr_zero(left));
            if (last_[priority].received_at == then) begin_again(priority, now);
        }
        relay_.received_until(now, then);
    }

    // Returns the priorities that must not be sent at `now`.
    [[nodiscard]] PrioritySet paused(Nanos now) {
        if (paused_ != 0) expire(now);
        return paused_;
    }

    // Returns the priorities whose pause the peer ended since the last call, by an XON or because
    // the pause time can have run out.
    PrioritySet take_resumed(Nanos now) {
        PrioritySet resumed = std::exchange(resumed_, PrioritySet{0});
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            if (reaches_[priority] < now) resumed |= only_priority(priority);
        }
        return resumed;
    }

    [[nodiscard]] uint64_t xoffs_received(Priority priority) const {
        return xoffs_received_[priority].value();
    }
    // Returns the times for which the priority was paused.
    [[nodiscard]] const TimeHistory& history(Priority priority) const { return history_[priority]; }
    // Returns the priorities that a pause may hold here.
    [[nodiscard]] PrioritySet may_be_held() const { return bits_.obeying(); }
    PauseRelay& relay() { return relay_; }
    [[nodiscard]] const PauseRelay& relay() const { return relay_; }

  private:
    // The most recent pause of a priority.
    struct Last {
        Nanos received_at{-1};
        Nanos came;  // earliest time at which the pause can have arrived
        Nanos length;
        uint8_t relays = 0;  // relays that the pause passed
    };

    // Ends the pause of a priority: the port's peer sent an XON, or the relay takes the pause over.
    void resume(Priority priority, Nanos now) {
        resumed_ |= only_priority(priority);
        last_[priority] = {};
        reaches_[priority] = std::min(reaches_[priority], now);
        end(priority, now);
    }
    // Relays the pause of `meant`, and returns the priorities whose pause is obeyed here instead.
    // If the relay accepts a pause of a priority that was obeyed here before, that pause ends here.
    PrioritySet give_to_relay(const PauseFrame& pause, PrioritySet meant, Nanos now) {
        const PrioritySet refused = relay_.receive(pause, meant, now);
        const auto taken = static_cast<PrioritySet>(meant & ~refused);
        for_each_priority(refused_ & taken, [&](Priority priority) { resume(priority, now); });
        refused_ = static_cast<PrioritySet>((refused_ & ~taken) | refused);
        return refused;
    }
    // Continues pauses here that the relay had accepted (`before`) and no longer accepts. Of the
    // relay's priorities, only pauses that the relay refuses are obeyed here.
    void hand_over(PrioritySet before, Nanos now) {
        const PrioritySet taken = relay_.taken();
        const auto back = static_cast<PrioritySet>(before & ~taken & ~relay_.cut() & ~paused_);
        for_each_priority(back, [&](Priority priority) {
            const PauseRelay::Span& span = relay_.span(priority);
            last_[priority] = {.received_at = span.received_at,
                               .came = span.received_at,
                               .length = span.until - span.received_at,
                               .relays = span.relays};
            history_[priority].begin(std::max(now, span.received_at));
            begin_again(priority, span.received_at);
        });
        paused_ |= back;
        refused_ = static_cast<PrioritySet>(paused_ & relay_.own() & ~taken);
    }
    // Puts the most recent pause of `priority` into force again from `now` on.
    void begin_again(Priority priority, Nanos now) {
        const Last& last = last_[priority];
        reaches_[priority] = std::min(last.came, now) + last.length;
        until_[priority] = now + last.length;
        history_[priority].ends_at(until_[priority]);
    }
    // Returns the priorities among `meant` that the frame pauses. XONs are not limited, as they can
    // only shorten a pause.
    static PrioritySet held_by(const PauseFrame& pause, PrioritySet meant) {
        PrioritySet held = 0;
        for_each_priority(meant, [&](Priority priority) {
            if (pause.time[priority] != 0) held |= only_priority(priority);
        });
        return held;
    }
    // Ends pauses that are over, and pauses of priorities that the port no longer honours.
    void expire(Nanos now) {
        const auto obeyed = link_pause_ ? 0xFF : honoured_ | refused_;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            if (now >= until_[priority]) {
                end(priority, until_[priority]);
            } else if ((obeyed & only_priority(priority)) == 0) {
                end(priority, now);
            }
        }
    }
    void end(Priority priority, Nanos at) {
        const PrioritySet bit = only_priority(priority);
        if ((paused_ & bit) == 0) return;
        paused_ = static_cast<PrioritySet>(paused_ & ~bit);
        history_[priority].end(at);
    }

    PrioritySet paused_ = 0;
    PrioritySet resumed_ = 0;
    PrioritySet honoured_ = 0;
    // Priorities of the relay that are paused here, because the relay refused their pauses.
    PrioritySet refused_ = 0;
    bool link_pause_ = false;
    FrameLimit limit_;
    PauseRelay relay_;
    BitsPerSecond speed_{1};
    std::array<Last, max_priorities> last_;
    std::array<Nanos, max_priorities> until_;
    std::array<Nanos, max_priorities> reaches_;  // earliest times at which the pauses can end
    std::array<Counter, max_priorities> xoffs_received_;  // XOFFs obeyed here
    std::array<TimeHistory, max_priorities> history_;
    HeldBits bits_;
};

}  // namespace sluice

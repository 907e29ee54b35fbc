// StallWatch: detects an output whose device accepts no frames although frames are offered to it: a
// ring or a guest that stopped, is paused or is malicious. InfiniBand calls the limit the lifetime
// of the frame at the head of the queue (HOQLife).
//
// An output is stalled when, for the detection time, every check found frames of one priority
// offered, and the device accepted no frame of any priority. A frame is offered if only the device
// holds it: it is not paused, shaped, or short of credit, and its pause was not renewed since the
// last check. A peer that repeats short pauses, and accepts no frame in between, is therefore
// detected later: after checks with offered frames that add up to eight detection times since the
// device last accepted one. (A peer that only resumes late is not taken for such a peer: a check
// follows the poll that received its last pause.) The stall ends when, for the restoration time,
// every check found that the device had accepted a frame, or that none was offered.
// `WatchdogSettings::action` selects what a stall causes. `alert` drops only copies of frames with
// several outputs, so that such frames do not wait for one of their outputs. `drop` and `forward`
// drop all frames for the output (`forward` too, since the device cannot be made to send). One
// frame of each priority stays at the device, and is tried again (egress.h).
// Bound: one check a poll time, no cost a frame. A stall is detected between the detection time and
// two poll times later, its end between the restoration time and two poll times later. A worker
// that polls late does no harm, as each poll offers frames before it checks.
// Not here: queues that a peer pauses (pfc/watchdog.h), and full queues of a device with
// PfcBy::queues, which cannot be distinguished from paused ones.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>

#include "dataplane/pfc/time_history.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

// The state of an output at a check.
struct OutputState {
    PrioritySet offered = 0;  // priorities with frames that only the device holds
    uint64_t taken = 0;       // frames that left the output since the start
    std::array<uint64_t, max_priorities> xoffs{};  // XOFFs received since the start
};

class StallWatch {
  public:
    // The time of the next check while the watch is off.
    static constexpr Nanos never{INT64_MAX};

    // Sets the actions and times. The next check is due at once.
    void configure(const WatchdogSettings& settings) {
        settings_ = settings;
        action_.store(settings.action, std::memory_order_relaxed);
        const bool is_on = settings.action != WatchdogAction::off;
        next_check_ = is_on ? Nanos(0) : never;
        if (!is_on && is_stalled()) end(looked_at_);
    }

    [[nodiscard]] Nanos next_check() const { return next_check_; }
    void look(const OutputState& state, Nanos now) {
        assert(now >= looked_at_ && state.taken >= seen_.taken);
        looked_at_ = now;
        next_check_ = now + settings_.poll;
        const bool took = state.taken != seen_.taken;
        if (took) refused_for_ = Nanos(0);
        if (!took && state.offered != 0) refused_for_ += settings_.poll;
        PrioritySet held = took ? PrioritySet{0} : held_;
        for_each_priority(held, [&](Priority priority) {
            const bool renewed = state.xoffs[priority] != seen_.xoffs[priority];
            if (renewed) held = static_cast<PrioritySet>(held & ~only_priority(priority));
        });
        held = static_cast<PrioritySet>(held & state.offered);
        if (held == 0) {
            held = state.offered;
            held_since_ = now;
        }
        held_ = held;
        seen_ = state;
        if (is_stalled()) {
            const bool stands = state.offered != 0 && !took;
            if (stands || stood_) clear_since_ = now;
            stood_ = stands;
            if (now - clear_since_ >= settings_.restoration) end(now);
        } else if (held != 0 && (now - held_since_ >= settings_.detection ||
                                 refused_for_ > settings_.detection * patience)) {
            begin(now);
        }
    }

    // --- for any thread -------------------------------------------------------------------------
    [[nodiscard]] bool is_stalled() const { return is_stalled_.load(std::memory_order_relaxed); }
    // Whether all frames for the output are dropped while it is stalled; else only copies are.
    [[nodiscard]] bool drops_all() const {
        const WatchdogAction action = action_.load(std::memory_order_relaxed);
        return action == WatchdogAction::drop || action == WatchdogAction::forward;
    }
    [[nodiscard]] uint64_t detected() const { return detected_.value(); }
    // Returns the times for which the output was stalled.
    [[nodiscard]] const TimeHistory& history() const { return history_; }

  private:
    static constexpr int64_t patience = 8;

    void begin(Nanos now) {
        assert(!is_stalled());
        clear_since_ = now;
        stood_ = true;
        detected_.add(1);
        history_.begin(now);
        is_stalled_.store(true, std::memory_order_relaxed);
    }
    void end(Nanos now) {
        assert(is_stalled());
        refused_for_ = Nanos(0);
        history_.end(now);
        is_stalled_.store(false, std::memory_order_relaxed);
    }

    WatchdogSettings settings_;
    std::atomic<WatchdogAction> action_{WatchdogAction::off};
    std::atomic<bool> is_stalled_{false};
    Nanos next_check_ = never;
    Nanos looked_at_;
    OutputState seen_;      // state at the last check
    PrioritySet held_ = 0;  // offered at each check since `held_since_`, no frame accepted
    Nanos held_since_;
    Nanos refused_for_;   // time with offered frames since the device last accepted one
    Nanos clear_since_;   // since when frames were accepted, or none was offered, at every check
    bool stood_ = false;  // whether the last check found offered frames and none accepted
    Counter detected_;
    TimeHistory history_;
};

}  // namespace sluice

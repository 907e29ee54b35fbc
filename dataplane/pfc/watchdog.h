// Watchdog: detects the queues of one output that a peer pauses without end: a pause storm.
//
// A queue is in a storm when, for the detection time, it had frames at every check, sent none, and
// its peer never resumed it. A queue that is only slow, or paused now and then, is not. If a worker
// polls seldom, the check can miss that the peer resumed the queue (pause_gate.h). The check is
// reliable if within each detection time the queue is open for longer than the longest single
// pause. `WatchdogSettings::action` is the action in a storm: report only, drop the frames in the
// queue and new frames for it, or send in spite of the pause. The storm is over when for the
// restoration time no pause was received and none was in force.
// With `longest_restoration`, a storm that returns within ten restoration times doubles its
// restoration time, up to `longest_restoration`, so that the queue does not flap if a storm returns
// at once.
// Bound: one check each poll time. A storm is detected between the detection time and one poll time
// later, and its end between the restoration time and two poll times later.
// Follows SONiC's PFC watchdog, except for the doubling.
#pragma once

#include <array>
#include <atomic>

#include "dataplane/pfc/time_history.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

// The state of a queue at a check.
struct QueueState {
    bool backlogged = false;  // frames are queued
    bool paused = false;
    uint64_t sent = 0;            // frames since the start
    uint64_t xoffs_received = 0;  // XOFFs since the start
    bool resumed = false;         // the peer resumed the queue since the last check
};
using QueueStates = std::array<QueueState, max_priorities>;

class Watchdog {
  public:
    // The time of the next check while the watchdog is off.
    static constexpr Nanos never{INT64_MAX};

    // Checks at once, and then once each poll time.
    void configure(const WatchdogSettings& settings, PrioritySet watched);

    [[nodiscard]] Nanos next_check() const { return next_check_; }
    void look(const QueueStates& states, Nanos now);

    [[nodiscard]] WatchdogAction action() const { return action_.load(std::memory_order_relaxed); }
    [[nodiscard]] PrioritySet watched() const { return watched_.load(std::memory_order_relaxed); }
    [[nodiscard]] PrioritySet pfc_storms() const {
        return pfc_storms_.load(std::memory_order_relaxed);
    }
    // Returns the priorities in a storm if `action` is the configured one; else none.
    [[nodiscard]] PrioritySet pfc_storms_under(WatchdogAction action) const {
        return this->action() == action ? pfc_storms() : PrioritySet{0};
    }
    [[nodiscard]] uint64_t detected(Priority priority) const {
        return queues_[priority].detected.value();
    }
    [[nodiscard]] uint64_t restored(Priority priority) const {
        return queues_[priority].restored.value();
    }
    // Returns the time without a pause that ends the present storm, or ended the last one.
    [[nodiscard]] Nanos restores_after(Priority priority) const {
        return Nanos(queues_[priority].restores_after.load(std::memory_order_relaxed));
    }
    // Returns how many times in a row the storm has returned.
    [[nodiscard]] uint32_t returns(Priority priority) const {
        return queues_[priority].returns.load(std::memory_order_relaxed);
    }
    [[nodiscard]] const TimeHistory& history(Priority priority) const {
        return queues_[priority].history;
    }

  private:
    struct Queue {
        QueueState seen;
        Nanos held_since;   // every check since then found frames and a pause, and no frame sent
        Nanos clear_since;  // every check since then found no pause
        Nanos restored_at;
        std::atomic<int64_t> restores_after{0};  // ns
        std::atomic<uint32_t> returns{0};
        Counter detected;
        Counter restored;
        TimeHistory history;
    };

    void look_for_storm(Priority priority, const QueueState& state, Nanos now);
    void look_for_restore(Priority priority, const QueueState& state, Nanos now);
    void restore(Priority priority, Nanos now);
    void set_restoration(Queue& queue, uint32_t returns) const;

    WatchdogSettings settings_;
    std::atomic<WatchdogAction> action_{WatchdogAction::off};
    Nanos next_check_ = never;
    Nanos looked_at_;
    std::atomic<PrioritySet> watched_{0};
    std::atomic<PrioritySet> pfc_storms_{0};
    std::array<Queue, max_priorities> queues_;
};

}  // namespace sluice

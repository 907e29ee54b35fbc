// Egress: one output port: its queues, which of them may send, and in which order.
//
// `select` removes frames from the queues. `put_back` returns the frames that the device refused
// and restores the scheduler's state, so that a pause that arrives in between holds these frames
// too. `room` is the room that the port offers to the fabric. `watch` runs the watchdog (a queue in
// a pause storm sends in spite of its pause, or is discarded) and checks whether the device accepts
// frames. If a port's priorities have transmit queues of their own (`queue_backpressure`), a
// priority that the device refuses is skipped until the next poll.
//
// A priority flows after a poll in which the port sent frames, the device refused none, and no
// frame of the priority was left here. Its queue then counts frames and not octets, so that frames
// of every length find as much room as the shortest. The priority ceases to flow at once when the
// device refuses a frame, and at the end of a poll (`settle`) in which a frame of it stayed here,
// because of a pause or otherwise. At first no priority flows. The priorities of a port that is
// shaped, uses credit, or has transmit queues by priority do not flow, as such a port always keeps
// frames.
// Bound: a priority that does not flow has some quanta here (egress_queue.h), a priority that flows
// as many frames as its queue has places. A frame that waits in a VOQ because the queue of its
// priority is full may have to wait for the queues of lower priorities: each holds at most
// EgressQueue::capacity frames of any length if it flows, or two quanta and a frame if it does not.
// Only the port's worker calls it; any thread may read counters.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <span>

#include "dataplane/credits/credit_sender.h"
#include "dataplane/egress/egress_queue.h"
#include "dataplane/egress/remark.h"
#include "dataplane/egress/scheduler.h"
#include "dataplane/egress/shaper.h"
#include "dataplane/egress/stall_watch.h"
#include "dataplane/pfc/pause_gate.h"
#include "dataplane/pfc/queue_backpressure.h"
#include "dataplane/pfc/watchdog.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/hot_memory.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice {

class Egress : public InHotMemory {
  public:
    explicit Egress(uint8_t workers = 1) {
        for (EgressQueue& queue : queues_) queue.reserve(workers);
    }

    void configure(const PortSettings& settings, Bytes quantum, uint8_t workers);
    // Limits the frames of `priority` that bypass the VOQs: their charge here, in cells, stays
    // below `level`.
    void limit_bypass(Priority priority, Bytes level, Bytes cell);
    // Excludes `priorities` from those that may flow, until the next `configure`.
    void hold(PrioritySet priorities);

    void push(std::span<const Frame> frames);
    // Queues a frame that bypassed the VOQs. Returns false if its queue has no room for it.
    bool push_bypassing(const Frame& frame);
    // Queues a frame from another worker, which checked for room (handoff.h).
    void push_handed_over(const Frame& frame);
    // Whether priorities take turns, so that `select` needs `set_own_voq_backlog`.
    [[nodiscard]] bool takes_turns() const { return scheduler_.takes_turns(); }
    // Sets the priorities that have frames in VOQs of this worker. If such a priority shares the
    // port with others and its queue here becomes empty, it would lose its turn, and the others
    // would get more than their weight. So the next `select` that finds its queue empty chooses
    // none of the sharing priorities. A poll then sends no more frames to the port before the
    // fabric has run (poll.h), unless strict priorities fill the burst.
    void set_own_voq_backlog(PrioritySet backlog) { own_voq_backlog_ = backlog; }
    // Fills the burst, at most max_burst frames, with frames that may be sent at `now`.
    std::size_t select(std::span<Frame> burst, Nanos now);
    // Puts the frames that the device refused back into their queues. The device accepted the first
    // `sent` frames of the last `select`. No other call may be made in between.
    void put_back(std::span<const Frame> burst, std::size_t sent);
    // Blocks these priorities until the next call: the link holds them, for credit or for retry.
    // The watchdog does not override this.
    void block(PrioritySet priorities) { blocked_by_link_ = priorities; }
    // Blocks further priorities: a tunnel is blocked together with the port below it.
    void block_with_underlay(PrioritySet priorities) { blocked_below_ = priorities; }
    // Sets the credit that frames need and consume, instead of the pause gate; null: frames need no
    // credit.
    void set_credit(CreditSender* credit) {
        credit_ = credit;
        on_credit_ = credit != nullptr;
    }
    // Returns the priorities whose first frame exceeds the credit.
    [[nodiscard]] PrioritySet lacking_credit() const;
    // Return the priorities that may not be sent at `now`; and, among these, the priorities that
    // the peer pauses and those of PortSettings::dcbx_held.
    [[nodiscard]] PrioritySet blocked(Nanos now);
    [[nodiscard]] PrioritySet paused(Nanos now);
    [[nodiscard]] const std::array<uint8_t, max_priorities>& pcp_of_own_tags() const {
        return remarker_.pcp_of_own_tags();
    }
    // Removes frames of `priorities`, paused or not: for a port that is down, or a pause storm.
    std::size_t take_any(PrioritySet priorities, std::span<Frame> burst);
    // As `take_any`, but a priority that the device refuses keeps its first frame, which is sent
    // again until the device accepts it: then the peer has resumed.
    std::size_t take_behind_refused(PrioritySet priorities, std::span<Frame> burst) {
        return take_but_first(priorities, queue_backpressure_.refused(), burst);
    }
    // As `take_any`, but every priority keeps its first frame, while the device accepts no frames.
    std::size_t take_behind_first(std::span<Frame> burst) {
        return take_but_first(0xFF, 0xFF, burst);
    }

    // Notes that a transmit queue of the device is full, for a port that has one for each priority.
    // The priority is not chosen again in this poll; others are.
    void refuse(Priority priority, Nanos now) {
        blocked_by_queue_ |= only_priority(priority);
        queue_backpressure_.refuse(priority, now);
    }
    // Makes `select` try full queues of the device again. A priority without frames counts as
    // resumed, since there is no frame to try. Called at the end of each poll.
    void open_queues(Nanos now) {
        blocked_by_queue_ = 0;
        queue_backpressure_.resume(static_cast<PrioritySet>(~backlog_), now);
    }

    [[nodiscard]] Nanos next_check() const {
        return std::min(watchdog_.next_check(), stall_watch_.next_check());
    }
    // See PauseGate::use_relay.
    void use_relay(bool works, Nanos now) { gate_.use_relay(works, now); }
    // Returns the priorities for which the relay's other end has to pause its peer, except those
    // whose pause the watchdog overrides.
    [[nodiscard]] PrioritySet relayed(Nanos now) {
        const PrioritySet ended = watchdog_.pfc_storms_under(WatchdogAction::drop) |
                                  watchdog_.pfc_storms_under(WatchdogAction::forward);
        return static_cast<PrioritySet>(gate_.relay().to_pause(now) & ~ended);
    }
    // The state of an output that only the shard knows: the priorities that have frames in VOQs of
    // any worker; the number of frames sent or dropped; and whether the shard offers frames to the
    // device.
    struct Seen {
        PrioritySet voq_backlog = 0;
        uint64_t gone = 0;
        bool offers = true;
    };
    void watch(const Seen& seen, Nanos now);
    // Sets the priorities that have frames to resend outside the queues (retry/port_retry.h), until
    // the next call. Only the watchdog uses this.
    void set_beside(PrioritySet priorities) { beside_ = priorities; }
    [[nodiscard]] PrioritySet beside() const { return beside_; }
    // Returns the priorities whose frames are dropped, by the watchdog's action `drop` (any
    // thread).
    [[nodiscard]] PrioritySet discarding() const {
        return watchdog_.pfc_storms_under(WatchdogAction::drop);
    }
    // The priorities whose frames are dropped instead of waiting for a retry session (any thread).
    void discard_without_session(PrioritySet priorities) {
        without_session_.store(priorities, std::memory_order_relaxed);
    }
    [[nodiscard]] PrioritySet without_session() const {
        return without_session_.load(std::memory_order_relaxed);
    }
    // Whether frames for the output may be dropped because of a storm, a stall or retry (any
    // thread).
    [[nodiscard]] bool gives_up() const {
        return discarding() != 0 || stall_watch_.is_stalled() || without_session() != 0;
    }
    // Whether a frame for the output is dropped because its device accepts no frames. The one frame
    // that tests the device is not dropped (any thread).
    [[nodiscard]] bool drops_as_stalled(const Frame& frame) const {
        const bool meant =
            stall_watch_.is_stalled() && (frame.is_shared() || stall_watch_.drops_all());
        return meant && queues_[frame.priority].waiting() != 0;
    }
    // Returns the priorities whose depth makes inputs pause their peers, by PauseTrigger::egress
    // (any thread).
    [[nodiscard]] PrioritySet congested() const {
        return congested_.load(std::memory_order_relaxed);
    }
    // Updates `congested`: a priority is congested from `xoff` octets on, until at most `xon`
    // octets are left.
    void detect_congestion(const std::array<Bytes, max_priorities>& depths, Bytes xoff, Bytes xon);
    void count_watchdog_drops(Priority priority, uint64_t frames) {
        watchdog_drops_[priority].add(frames);
    }

    // Decides which priorities flow in the next poll. Called at the end of a poll in which the port
    // sent frames or has frames left.
    void settle();
    // Whether some priority may flow (`hold` did not exclude it) but does not flow now.
    [[nodiscard]] bool is_held() const { return flowing_ != may_flow_; }
    // Returns the priorities that flow now.
    [[nodiscard]] PrioritySet flowing() const { return flowing_; }
    // Returns how many frames of a priority that flows may bypass the arbiter.
    [[nodiscard]] std::size_t places(Priority priority) const {
        const std::size_t most = most_bypassing_[1].frames;
        return most - std::min(queues_[priority].size(), most);
    }

    // Prefetches the queue for a transfer.
    void prefetch(Priority priority) const { __builtin_prefetch(&queues_[priority], 1); }
    // Returns the priorities with room for one more transfer.
    [[nodiscard]] PrioritySet room() const { return room_; }
    // Returns the priorities with room for frames that other workers hand over.
    [[nodiscard]] PrioritySet room_for_handoff() const { return room_for_handoff_; }
    [[nodiscard]] bool empty() const { return backlog_ == 0; }
    // Returns the priorities that have frames here.
    [[nodiscard]] PrioritySet backlog() const { return backlog_; }
    PauseGate& gate() { return gate_; }
    QueueBackpressure& queue_backpressure() { return queue_backpressure_; }

    [[nodiscard]] const PauseGate& gate() const { return gate_; }
    [[nodiscard]] const QueueBackpressure& queue_backpressure() const {
        return queue_backpressure_;
    }
    [[nodiscard]] const Watchdog& watchdog() const { return watchdog_; }
    [[nodiscard]] const StallWatch& stall_watch() const { return stall_watch_; }
    [[nodiscard]] uint64_t watchdog_drops(Priority priority) const {
        return watchdog_drops_[priority].value();
    }
    [[nodiscard]] const EgressQueue& queue(Priority priority) const { return queues_[priority]; }
    [[nodiscard]] uint64_t waiting() const;

  private:
    // Whether `backlog_` names the queues that have frames.
    [[nodiscard]] bool backlog_is_right() const;
    void set_flowing(PrioritySet flowing);
    // Returns the level from which on the queue of `priority` has no room for a grant.
    [[nodiscard]] Bytes quantum_of(Priority priority) const {
        return (flowing_ & only_priority(priority)) != 0 ? no_limit : quantum_;
    }
    [[nodiscard]] bool is_within_limit(Priority priority, const EgressQueue::Level& filled) const;
    // The slow path of `push_bypassing`, above `fast_limit_`: checks whether the queue has room,
    // and whether room is left after the frame.
    bool push_checked(const Frame& frame, const EgressQueue::Level& filled);
    // Call after a change of `quantum_`, `flowing_` or a limit.
    void set_fast_limit(Priority priority);
    std::size_t choose(std::span<Frame> burst);
    // Returns the priorities that may be chosen. Priorities that share the port are left out of one
    // choice while they wait for the fabric.
    PrioritySet take_choice();
    // Notes that the queue of a priority became empty. Returns whether the other sharing priorities
    // have to wait for that priority.
    bool note_empty(Priority priority);
    // Removes frames of `priorities`, except the first frame of each priority in `kept`.
    std::size_t take_but_first(PrioritySet priorities, PrioritySet kept, std::span<Frame> burst);
    void look_for_stall(const Seen& seen, Nanos now);
    std::size_t choose_on_credit(std::span<Frame> burst);
    template <bool credit>
    std::size_t choose_by(std::span<Frame> burst);
    // Call after a queue's length changed: updates `backlog_` and `room_`.
    void update(Priority priority);
    // As `update` after a queue grew by one frame to `level`, but cheaper.
    void has_grown(Priority priority, const EgressQueue::Level& level);

    PrioritySet backlog_ = 0;
    PrioritySet room_ = 0xFF;
    Bytes quantum_;
    // This member is not next to `room_`: otherwise one load of both members would wait for the
    // separate stores to each.
    PrioritySet room_for_handoff_ = 0xFF;
    PrioritySet flowing_ = 0;
    PrioritySet may_flow_ = 0;
    bool was_sent_ = false;     // whether a frame was sent since `settle`
    bool was_refused_ = false;  // whether a frame was refused since `settle`
    PrioritySet limited_ = 0;   // priorities limited by `limit_bypass`
    // The levels up to which bypassing frames fill a queue: [0] of a priority that does not flow,
    // [1] of one that flows.
    std::array<EgressQueue::Level, 2> most_bypassing_;
    Scheduler scheduler_;
    PrioritySet own_voq_backlog_ = 0;
    PrioritySet awaited_ = 0;  // sharing priorities whose queue is empty and whose VOQs are not
    Scheduler before_;         // copy of the scheduler from before the last `select`
    PrioritySet awaited_before_ = 0;
    PrioritySet paused_ = 0;
    PrioritySet blocked_by_link_ = 0;
    PrioritySet blocked_below_ = 0;
    PrioritySet blocked_by_queue_ = 0;
    PrioritySet held_ = 0;  // priorities of PortSettings::dcbx_held
    PrioritySet beside_ = 0;
    bool on_credit_ = false;  // `credit_` is not null
    Bytes cell_;
    std::array<Bytes, max_priorities> bypass_limits_{};
    Shaper shaper_;
    PauseGate gate_;
    Watchdog watchdog_;
    Remarker remarker_;
    PfcSettings pfc_;
    std::atomic<PrioritySet> congested_{0};
    std::atomic<PrioritySet> without_session_{0};
    std::array<Counter, max_priorities> watchdog_drops_;  // frames that the watchdog dropped here
    std::array<EgressQueue, max_priorities> queues_;
    QueueBackpressure queue_backpressure_;
    CreditSender* credit_ = nullptr;  // null: frames need no credit
    StallWatch stall_watch_;
};

}  // namespace sluice

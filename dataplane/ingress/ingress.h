// Ingress: one input port: its VOQs, its (input, priority) groups, and admission.
//
// `admit` charges a frame to an account, or returns why it is refused:
//   lossy     the VOQ may hold reserved + alpha x (free part of the pool)
//   lossless  the group uses the pool up to XOFF. At XOFF the port pauses its peer, and frames that
//             the peer sent before it stopped use the group's headroom
//             (buffer/ingress_priority_group.h). With credit the port sends no pauses: reserve and
//             headroom together are the buffer that the peer's credit covers, and copies beyond it
//             may use the pool as frames of a lossy VOQ do
// A frame is lossless if its priority is lossless at this port and at its output. So a copy of a
// flooded frame for a lossy output, and any copy for a mirror, may be dropped, and does not cause a
// pause. `move` removes frames for an output and releases their charge.
//
// If a port has several lanes (switch.h), an Ingress is one lane. Thresholds and levels are then
// compared with the sum over the lanes, except for the reserve of VOQs, which each lane has for
// itself. A lane reads the other lanes before each burst, and before it ends a pause. Each lane
// requests pauses for itself. The port pauses its peer while any lane requests it; a lane withdraws
// its request when the sum is at XON.
// Bound: O(1) a frame, O(lanes) a burst. Only the lane's worker calls it; any thread may read
// counters.
#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <span>
#include <vector>

#include "dataplane/buffer/dynamic_threshold.h"
#include "dataplane/buffer/frame_pool.h"
#include "dataplane/buffer/ingress_priority_group.h"
#include "dataplane/buffer/voq.h"
#include "dataplane/fabric/crossbar.h"
#include "dataplane/ingress/classify.h"
#include "dataplane/ingress/format.h"
#include "dataplane/ingress/storm_control.h"
#include "dataplane/pfc/pause_obedience.h"
#include "dataplane/pfc/pause_sender.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/hot_memory.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/zeroed.h"

namespace sluice {

// The buffer's state when a frame is admitted.
struct Admission {
    bool lossless = false;
    uint64_t frames = 0;  // frames in the VOQ
    Bytes queue;          // octets charged to the VOQ, over all lanes
    Bytes threshold;      // threshold of a lossy VOQ, including its reserve
    Bytes free;           // free octets of the pool
    Bytes group;          // octets of the (input, priority) group, without headroom
    Bytes xoff;           // level of the group at which the peer is paused
    Bytes headroom;       // octets of the headroom in use
    Bytes headroom_size;
    bool pausing = false;    // whether the peer is paused
    bool by_credit = false;  // whether credit limits the peer instead of XOFF
};

class Ingress : public InHotMemory {
  public:
    // State that an Ingress shares with the other inputs of its worker.
    struct Shared {
        SharedBuffer::Shard& pool;
        FramePool& frames;
        Crossbar::Shard& crossbar;
    };

    // `outputs`: the number of outputs. The input belongs to the port of its number, unless it
    // becomes a lane.
    Ingress(InputIndex self, std::size_t outputs, const Shared& shared);
    // Makes this a lane of `port`, which has these other lanes. Called at start.
    void become_lane(PortIndex port, std::vector<const Ingress*> others);
    void configure(const Settings& settings);

    [[nodiscard]] PortIndex port() const { return port_; }
    [[nodiscard]] bool has_others() const { return !others_.empty(); }
    // Reads the backlogs of the other lanes, and the pauses that they request. Called before a
    // burst.
    void look_at_others();
    // Whether this is a further lane, and the port's worker has yet to send a pause that a lane
    // requests. Until that pause is sent, the lane receives no frames. So the frames beyond XOFF
    // that arrive while that worker is late are limited to those in the receive ring.
    [[nodiscard]] bool waits_for_port() const {
        return self_ != InputIndex(port_) &&
               (requested_by_all_lanes() & ~others_.front()->pause_sender_.announced()) != 0;
    }
    [[nodiscard]] const PortSettings& settings() const { return settings_; }
    [[nodiscard]] const Format& format() const { return format_; }
    [[nodiscard]] Priority classify(const Headers& headers, std::span<const uint8_t> octets) const {
        return classifier_(headers, octets);
    }

    [[nodiscard]] Classifier::Decision explain(const Headers& headers,
                                               std::span<const uint8_t> octets) const {
        return classifier_.decide(headers, octets);
    }

    // Prefetches the memory that a frame with this path will need.
    void prefetch(QueueKey path) const { __builtin_prefetch(&voqs_[index(path)], 1); }
    // Returns the most octets that this many frames are charged beyond their lengths: for rounding
    // to cells, and for a pushed tag.
    [[nodiscard]] Bytes most_added(std::size_t frames) const {
        return (buffer_.cell + Bytes(tag_octets)) * static_cast<int64_t>(frames);
    }
    // Returns the priorities of which frames of `octets` in all, each for one output, would be
    // admitted without a pause. Assumes that no lane has such frames for these outputs in VOQs.
    [[nodiscard]] PrioritySet would_admit(Bytes octets) const;
    // Returns the buffer's present state for a frame with this `path`.
    [[nodiscard]] Admission admission(QueueKey path);
    // Queues the frame for `output`, or returns why the frame is dropped.
    Drop admit(const Frame& frame, PortIndex output);
    // Moves up to `quantum` octets (at least one frame, if there is one) from the VOQ to `out`.
    std::size_t move(QueueKey path, std::span<Frame> out, Bytes quantum);
    // Moves all frames of `priorities` for `outputs` from their VOQs to `out`. A result below
    // out.size() means that no frames are left.
    std::size_t flush(PortSet outputs, PrioritySet priorities, std::span<Frame> out);
    // Moves copies of frames that have several outputs from the VOQs for `output` to `out`, at any
    // position in the VOQ. A result below out.size() means that no copies are left.
    std::size_t flush_copies(PortIndex output, std::span<Frame> out);
    // Pauses the priorities that have frames for congested outputs, and ends pauses for outputs
    // that are no longer congested. `congested` returns the congested priorities of an output.
    // Called if an output has PauseTrigger::egress.
    template <class Congested>
    void pause_for(PortSet outputs, Congested congested);

    // Ends pauses whose group is at XON: the pool may have got room since a frame last left the
    // group.
    void reconsider() {
        if (has_others()) [[unlikely]]
            look_at_others();
        for_each_priority(requested_pauses(), [&](Priority priority) { consider_xon(priority); });
    }
    // For a port with a receive queue for each priority: returns the queues that must not be polled
    // now, which are those of paused priorities. `burst`: the most frames of a burst. If the
    // headroom of a paused priority has no room for a burst, returns all queues, since a queue may
    // hold frames of another priority. With a single ring, any pause stops all queues.
    [[nodiscard]] PrioritySet stopped_queues(std::size_t burst) const;
    // Sets whether credit limits the peer; if it does, the port does not pause the peer.
    void go_by_credit(bool by_credit);
    [[nodiscard]] bool goes_by_credit() const { return by_credit_; }
    // Sets the octets of each lossless priority that were advertised to the peer as credit. The
    // peer may still use this credit for a while after credit ended, or after settings reduced the
    // buffer; such frames are charged to the pool, if it has room.
    void keep_room(Bytes advertised) { advertised_ = advertised; }
    // Ends all pauses. Called at shutdown.
    void release_peer() {
        requested_pauses_.store(0, std::memory_order_relaxed);
        pause_sender_.resume_all();
    }
    // Whether pauses or resumes that the lanes of this port request have yet to be sent to the
    // peer.
    [[nodiscard]] bool has_pending_pause() const {
        return pause_sender_.is_pending() || requested_by_all_lanes() != pause_sender_.own_pauses();
    }

    // Calls `visit` for each larger block of memory (Shard::for_each_block).
    template <class Visit>
    void for_each_block(Visit visit) {
        visit(std::as_writable_bytes(std::span(voqs_)));
        visit(std::as_writable_bytes(std::span(bypassed_)));
        visit(std::as_writable_bytes(std::span(&paths_[0], voqs_.size())));
    }

    // Counts a frame that bypassed its VOQ.
    void count_bypassed(QueueKey path) { bypassed_[index(path)].add(1); }
    // Resets the watermarks of each VOQ and group.
    void clear_watermarks() {
        for (Voq& voq : voqs_) voq.clear_watermark();
        for (IngressPriorityGroup& group : groups_) group.clear_watermarks();
    }
    void count_marked(QueueKey path, uint64_t frames) { about(path).marked.add(frames); }
    void count_watchdog_drops(QueueKey path, uint64_t frames) {
        about(path).watchdog_drops.add(frames);
    }
    void count_dropped(QueueKey path) { about(path).dropped.add(1); }
    // Whether frames over the threshold may be trimmed. If so, the caller of `admit` counts such
    // frames, as dropped or as trimmed.
    [[nodiscard]] bool trims(QueueKey path) const {
        return (trimmed_[path.output] & only_priority(path.priority)) != 0;
    }
    void count_untrimmed(QueueKey path) {
        if (trims(path)) count_dropped(path);
    }
    // `is_admitted`: the rest of the frame was admitted to the queue of trimmed frames.
    void count_trimmed(QueueKey path, bool is_admitted) {
        about(path).trimmed.add(1);
        if (!is_admitted) about(path).trim_dropped.add(1);
    }

    // The pause sender of a further lane sends no frames. It holds the state of the port's pauses
    // that the lane read last.
    PauseSender& pause_sender() { return pause_sender_; }
    // Notes that the due pause frame was sent. Called for ports without further lanes.
    void pause_frame_sent(Nanos now);
    // Checks whether the peer obeys the port's pauses, and repeats a pause that the peer does not
    // obey. `emptied`: whether the receive queue is empty. Called after each burst while the port
    // pauses its peer.
    void judge_peer(bool emptied, Nanos now);
    StormControl& storm_control() { return storm_control_; }

    [[nodiscard]] const PauseSender& pause_sender() const { return pause_sender_; }
    [[nodiscard]] const PauseObedience& obedience() const { return obedience_; }
    // The backlogs of the VOQs, one word every sizeof(Voq) octets, by output and priority.
    [[nodiscard]] const Counter& backlogs() const { return voqs_.front().backlog(); }
    [[nodiscard]] const Voq& voq(PortIndex output, Priority priority) const {
        return voqs_[index({output, priority})];
    }
    // Whether a grant of this many frames and octets would empty the VOQ.
    [[nodiscard]] bool is_within(QueueKey path, std::size_t frames, Bytes octets) const {
        return voq(path.output, path.priority).is_within(frames, octets, shared_.frames);
    }
    [[nodiscard]] const IngressPriorityGroup& group(Priority priority) const {
        return groups_[priority];
    }
    // Whether the priority is lossless between this port and `output`.
    [[nodiscard]] bool lossless(Priority priority, PortIndex output) const {
        return with_pfc && (lossless_outputs_[priority] & only(output)) != 0;
    }
    // Returns the frames for an output that bypassed their VOQ.
    [[nodiscard]] uint64_t bypassed(QueueKey path) const { return bypassed_[index(path)].value(); }
    // Return the frames for an output that crossed the fabric or bypassed it; that were not
    // admitted; that were flushed from their VOQ; that got an ECN mark; or that the output's
    // watchdog dropped.
    [[nodiscard]] uint64_t dequeued(QueueKey path) const {
        const uint64_t gone_elsewhere = flushed(path);  // read first: included in `left`
        return voq(path.output, path.priority).left() - gone_elsewhere + bypassed(path);
    }
    [[nodiscard]] uint64_t dropped(QueueKey path) const { return about(path).dropped.value(); }
    [[nodiscard]] uint64_t flushed(QueueKey path) const { return about(path).flushed.value(); }
    [[nodiscard]] uint64_t marked(QueueKey path) const { return about(path).marked.value(); }
    [[nodiscard]] uint64_t watchdog_drops(QueueKey path) const {
        return about(path).watchdog_drops.value();
    }
    // Return the frames over the threshold that were trimmed; and the trimmed frames whose rest
    // found no room in the queue of trimmed frames.
    [[nodiscard]] uint64_t trimmed(QueueKey path) const { return about(path).trimmed.value(); }
    [[nodiscard]] uint64_t trim_dropped(QueueKey path) const {
        return about(path).trim_dropped.value();
    }
    // Returns the pauses that began while `path.output` had the longest VOQ of the group.
    [[nodiscard]] uint64_t pauses_caused(QueueKey path) const {
        return about(path).pauses_caused.value();
    }
    // Returns the output that caused the last pause of a priority; max_ports if there was none.
    [[nodiscard]] PortIndex last_cause(Priority priority) const {
        return last_causes_[priority].load(std::memory_order_relaxed);
    }

  private:
    [[nodiscard]] std::size_t index(QueueKey path) const {
        assert(path.priority < max_priorities);
        assert(path.output * max_priorities < voqs_.size());
        return path.output * max_priorities + path.priority;
    }
    Voq& voq(PortIndex output, Priority priority) { return voqs_[index({output, priority})]; }
    // Counters that seldom change, by (output, priority).
    struct PathCounters {
        Counter dropped;
        Counter flushed;
        Counter marked;
        Counter watchdog_drops;
        Counter pauses_caused;
        Counter trimmed;
        Counter trim_dropped;
    };

    PathCounters& about(QueueKey path) { return paths_[index(path)]; }
    [[nodiscard]] const PathCounters& about(QueueKey path) const { return paths_[index(path)]; }
    [[nodiscard]] Bytes free() const { return shared_.pool.free(); }
    Drop admit_lossy(const Voq& voq, Bytes charge, Account& account);
    Drop admit_lossless(Priority priority, Bytes charge, IngressPriorityGroup::Part& part) const;
    [[nodiscard]] Drop admit_on_credit(Priority priority, Bytes charge,
                                       IngressPriorityGroup::Part& part) const;
    // Whether a frame that exceeds the group's buffer may use the pool, because it is within the
    // credit that was advertised.
    [[nodiscard]] bool fits_advertised(Priority priority, Bytes charge) const;
    [[nodiscard]] PortIndex deepest(Priority priority) const;
    [[nodiscard]] PrioritySet requested_pauses() const {
        return requested_pauses_.load(std::memory_order_relaxed);
    }
    void request_pauses(PrioritySet priorities);
    [[nodiscard]] PrioritySet requested_by_all_lanes() const;
    void look_at_others(Priority priority);
    // Returns the octets in the same VOQ of the other lanes.
    [[nodiscard]] Bytes in_others(const Voq& voq);
    void start_pause(Priority priority, PortIndex because_of);
    // Withdraws the request for a pause if the group is at XON.
    void consider_xon(Priority priority);
    // Moves frames from their VOQ to `out` until the VOQ is empty, `out` full, or `quantum`
    // reached.
    std::size_t take(QueueKey path, std::span<Frame> out, Bytes quantum);
    // Releases the charge of frames that left their VOQ; returns their number.
    std::size_t account_for(QueueKey path, std::span<Frame> taken);
    // Releases the charge of `frames`, all of one priority; returns the sum.
    Bytes release(std::span<const Frame> frames);

    InputIndex self_;
    PortIndex port_;
    PrioritySet paused_for_ = 0;                    // priorities paused for congested outputs
    PrioritySet lossless_ = 0;                      // priorities lossless for some output
    bool by_credit_ = false;                        // whether credit replaces pauses
    std::atomic<PrioritySet> requested_pauses_{0};  // priorities that this lane wants paused
    Shared shared_;
    std::array<PortSet, max_priorities> lossless_outputs_{};
    PortSettings settings_;
    BufferSettings buffer_;
    Classifier classifier_;
    Format format_;
    PauseSender pause_sender_;
    PauseObedience obedience_;
    StormControl storm_control_;
    std::array<IngressPriorityGroup, max_priorities> groups_;
    HotVector<Voq> voqs_;  // [output][priority]
    Zeroed<PathCounters> paths_;
    // [output][priority]; not in `paths_`, so that one cache line has all priorities of an output.
    HotVector<Counter> bypassed_;

    // Only for ports with several lanes.
    struct OthersBacklog {
        uint64_t look = 0;  // value of `look_` when `bytes` was read
        Bytes bytes;
    };
    std::vector<const Ingress*> others_;          // the port's own lane first
    std::vector<OthersBacklog> others_backlogs_;  // indexed as voqs_
    uint64_t look_ = 0;

    // Seldom used.
    Bytes advertised_{0};  // octets advertised as credit, of each priority
    std::array<std::atomic<PortIndex>, max_priorities> last_causes_;
    std::array<PrioritySet, max_ports> trimmed_{};  // priorities that the output's settings trim
};

template <class Congested>
void Ingress::pause_for(PortSet outputs, Congested congested) {
    PrioritySet congested_now = 0;
    for_each_port(outputs, [&](PortIndex output) {
        for_each_priority(congested(output), [&](Priority priority) {
            if (!lossless(priority, output) || voq(output, priority).empty()) return;
            congested_now |= only_priority(priority);
            const bool is_paused = (requested_pauses() & only_priority(priority)) != 0;
            if (!by_credit_ && !is_paused) start_pause(priority, output);
        });
    });
    const auto over = static_cast<PrioritySet>(paused_for_ & ~congested_now);
    paused_for_ = congested_now;
    for_each_priority(over, [&](Priority priority) { consider_xon(priority); });
}

}  // namespace sluice

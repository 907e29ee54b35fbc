// Shard: the part of the switch that one worker has: its inputs with their VOQs and groups, its
// outputs with their egress queues, its queue entries, its share of the pool, of the crossbar and
// of the forwarding, and the mail of its ports. shard.cc follows a frame's journey through it.
//
// Only its worker calls it; the interface for control is Switch (switch.h), which hides this class.
// Builds with assertions (debug, sanitizers) detect a call by another thread; `hand_over` passes
// the shard to the next caller.
//
// A poll: `receive` for each of its inputs, then `match` and `transfer` any number of times, then
// `transmit` and `confirm` for each of its ports that is `active`, then `housekeep` (poll.h has
// that order). VOQs are private to the input's worker, so workers exchange only matchings, moved
// frames and a few counters (fabric/crossbar.h).
//
// Bypass (bypass.h): if no VOQ of the shard holds a frame for an output, `receive` puts frames for
// the output into its egress queue while the queue has room, or hands them over to the shard that
// has the output (fabric/handoff.h). Other frames are queued in VOQs.
//
// Bound: no call loops over more than the burst it was given, its own ports, or one matching. The
// exceptions are `adopt`, and a `housekeep` that flushes entries or forgets a link: both may walk
// the tables of static entries and groups. No allocation after the constructor, no clock, no system
// call, no exception. Not here: receiving, transmitting and freeing buffers; the caller does so, as
// Released requests.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "dataplane/buffer/frame_pool.h"
#include "dataplane/capture/capture_points.h"
#include "dataplane/credits/credit_update.h"
#include "dataplane/credits/credit_watch.h"
#include "dataplane/csig/csig_ports.h"
#include "dataplane/egress/aqm.h"
#include "dataplane/egress/egress.h"
#include "dataplane/fabric/crossbar.h"
#include "dataplane/fabric/handoff.h"
#include "dataplane/forward/distribution_hold.h"
#include "dataplane/forward/forwarding.h"
#include "dataplane/ingress/control_mail.h"
#include "dataplane/ingress/control_receiver.h"
#include "dataplane/ingress/ingress.h"
#include "dataplane/latency/latency.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/sflow/flow_sampling.h"
#include "dataplane/shared_state.h"
#include "dataplane/threads/owner_check.h"
#include "dataplane/trace/tracer.h"
#include "dataplane/trim/trimmer.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/frame.h"
#include "dataplane/types/hot_memory.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/port_counters.h"
#include "dataplane/types/released.h"
#include "dataplane/types/settings.h"

namespace sluice {

class Shard : public InHotMemory {
  public:
    // Allocates VOQs, egress queues, counters, mail and queue entries, in the calling thread.
    Shard(WorkerIndex worker, const Settings& settings, SharedState& shared);
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;
    // Gives each lane of a port access to the others. Called at start, once all shards exist.
    void connect_lanes();
    void hand_over() { check_owner_.hand_over(); }

    [[nodiscard]] InputSet inputs() const { return inputs_; }  // own ports and further lanes
    [[nodiscard]] PortSet ports() const { return ports_; }

    // --- input side -----------------------------------------------------------------------------
    // Processes a burst (at most max_burst frames with handle, data and length set): each frame is
    // queued, or counted in one Drop and released. Frames that are handed over become visible to
    // other workers by `publish`.
    void receive(InputIndex input, std::span<Frame> burst, Nanos now, Released& released);
    // Corrects the pauses that a poll received: they count from `now`, the end of that poll,
    // instead of from `then`, its beginning. Called if the worker lost its core during the poll.
    void received_until(Nanos now, Nanos then);
    // Whether the port's worker has yet to send a pause that lanes request. Until the pause is
    // sent, no frame may be received for this further lane.
    [[nodiscard]] bool waits_for_port(InputIndex input) const {
        return ingress(input).waits_for_port();
    }

    // --- fabric ---------------------------------------------------------------------------------
    // Runs one slot: matches idle inputs with idle outputs, by the room that the outputs offered
    // last. Returns the number of pairs. Worker 0 matches for all workers; `match` of the others
    // returns 0.
    std::size_t match();
    // Calls `publish` and `collect`, then moves up to a quantum for every pair whose input is of
    // this shard.
    void transfer();
    // Whether `match` or `transfer` may move frames now. With one worker, they may only if a VOQ
    // holds a frame. With several workers they always may: frames to collect may arrive at any
    // time.
    [[nodiscard]] bool may_transfer() const { return !is_alone_ || crossbar_.requested() != 0; }
    // Makes frames visible to the workers to which they were handed over. Call it only after the
    // references that `receive` requests in Released were added: a worker that sees a flooded frame
    // may free it.
    void publish() {
        check_owner_();
        handoff_.publish();
    }
    // Collects frames that other workers have handed over or moved to outputs of this worker.
    void collect();
    // Whether another `match` and `transfer` in this poll may move frames from VOQs. Frames that
    // bypassed may have filled an egress queue, which has room again after they were sent. With
    // several workers only the worker's own outputs that flow count; other frames wait for the next
    // poll.
    [[nodiscard]] bool waits_for_room() const {
        return (crossbar_.requested() & (is_alone_ ? ~PortSet{0} : ports_ & ~held_)) != 0;
    }
    // The ports with frames in their egress queues; and those ports among them whose priorities
    // take turns.
    [[nodiscard]] PortSet holding() const { return holding_; }
    [[nodiscard]] PortSet holding_in_turns() const { return holding_ & in_turns_; }
    // The number of frames in VOQs of the shard, and the octets of the pool that they use.
    [[nodiscard]] std::size_t waiting() const { return frames_->waiting(); }
    [[nodiscard]] Bytes pool_used() const { return pool_.used(); }
    // Whether the use of the pool has grown by more than a quarter of the pool since `used_before`.
    [[nodiscard]] bool has_filled_pool(Bytes used_before) const {
        return (pool_.used() - used_before) * 4 > shared_.pool.size();
    }

    // --- output side ----------------------------------------------------------------------------
    // Returns the ports that may have frames for `transmit` or `pause_frame`.
    [[nodiscard]] PortSet active() const {
        check_owner_();
        // An output that triggers pauses checks the frames that wait for it in all shards.
        if (triggers_ != 0) return ports_;
        // Ports with lanes or a relay may have a pause to send, ports with credit an update.
        return active_ | laned_ | relays_ | with_credit_;
    }
    // Whether `transmit` may choose frames: the egress queues of the port may hold some.
    [[nodiscard]] bool has_to_send(PortIndex output) const {
        return ((holding_ | laned_ | tunnels_ | ~sending_) & only(output)) != 0 || tracer_.is_on();
    }
    // Chooses the frames that `output` sends now, in order. Call `confirm` before the next
    // `transmit`.
    std::size_t transmit(PortIndex output, std::span<Frame> burst, Nanos now);
    // Counts the first `sent` frames as sent, and returns the rest to the heads of their queues.
    void confirm(PortIndex output, std::span<const Frame> burst, std::size_t sent);
    // Replaces `confirm`: drops the first frame of the burst, and returns the rest.
    void discard_first(PortIndex output, std::span<const Frame> burst, Drop why, Nanos now);
    // Sets the priorities that `transmit` leaves out: those that credit or retry of the link holds.
    void block(PortIndex output, PrioritySet priorities);
    // As `block` for the priorities of a tunnel that the port below may not send; returns these.
    PrioritySet block_with_underlay(PortIndex tunnel, Nanos now);
    // Returns the priorities that the peer pauses, or that the port below a tunnel may not send.
    [[nodiscard]] PrioritySet paused(PortIndex output, Nanos now);
    // Sets, until the next call, the priorities with frames to resend outside the queues
    // (`beside`), and those whose frames are dropped for want of a retry session (`discarded`).
    void note_retry(PortIndex output, PrioritySet beside, PrioritySet discarded);
    // Whether a frame that `transmit` chose may have an edit due (tag.h) before it is sent.
    [[nodiscard]] bool edits_tags() const {
        return shared_.edits_tags.load(std::memory_order_relaxed);
    }
    // Returns the PCP of the tags that `output` pushes, by priority.
    [[nodiscard]] const std::array<uint8_t, max_priorities>& pcp_of_own_tags(
        PortIndex output) const {
        return egress(output).pcp_of_own_tags();
    }

    // --- captures (capture/capture_points.h) ----------------------------------------------------
    // Whether any capture is attached. Call the other two functions only if one is.
    [[nodiscard]] bool is_captured() const { return capture_points_.any(); }
    // Captures frames before they are passed to the device.
    void capture(PortIndex output, std::span<const Frame> burst, Nanos now);
    // Captures a frame that the switch made, such as a pause frame, after the device accepted it.
    void capture_generated(PortIndex output, std::span<const uint8_t> octets, Nanos now);

    // --- CSIG (csig/csig_tag.h): tags of frames before they are passed to a device --------------
    [[nodiscard]] bool updates_csig(PortIndex output) const {
        return (csig_.updating() & only(output)) != 0;
    }
    void update_csig(PortIndex output, std::span<const Frame> burst, Nanos now);
    CsigPorts& csig() { return csig_; }

    // --- PFC by back-pressure (pfc/queue_backpressure.h) ----------------------------------------
    // Whether a port has a receive and a transmit queue for each priority, and no pause frames.
    [[nodiscard]] bool has_queues(PortIndex port) const { return (with_queues_ & only(port)) != 0; }
    // Whether full receive queues, instead of pause frames, hold back the peer: one queue for each
    // priority, or the only one.
    [[nodiscard]] bool holds_by_rings(PortIndex port) const {
        return ((with_queues_ | with_ring_) & only(port)) != 0;
    }
    // Returns the receive queues of such a port that must not be polled. At most `burst` frames may
    // be received from the other queues before the next call. If a port has one ring, returns all
    // or none.
    [[nodiscard]] PrioritySet stopped_queues(PortIndex port, std::size_t burst) const {
        return ingress(port).stopped_queues(burst);
    }
    // Notes the frames that the device of such a port accepted. Called after `confirm`.
    void queues_took(PortIndex output, std::span<const Frame> sent, Nanos now);
    // Notes that the device's queue of `priority` is full: `transmit` skips it until `housekeep`.
    void queue_refused(PortIndex output, Priority priority, Nanos now);

    // --- pause frames ---------------------------------------------------------------------------
    // Whether a pause frame is due. If this returns false, `pause_frame` may still find one.
    [[nodiscard]] bool pause_is_due(PortIndex port, Nanos now) const {
        return may_pause(port) && ingress(port).pause_sender().due(now);
    }
    // Checks whether the paused peer obeys (pfc/pause_obedience.h). Called after `receive`.
    void judge_peer(InputIndex input, bool emptied, Nanos now);
    // Whether `pause_frame` must be called: the port has had a lossless priority or a relay.
    [[nodiscard]] bool may_pause(PortIndex port) const {
        return ((may_pause_ | laned_) & only(port)) != 0;
    }
    // Writes the PFC frame that is due to the peer of `port`; returns false if none is. Send it
    // ahead of any data; call `pause_frame_sent` after the device accepted it.
    bool pause_frame(PortIndex port, std::span<uint8_t, pause_frame_octets> octets, Nanos now);
    void pause_frame_sent(PortIndex port, Nanos now);

    // --- credit (credits/credit_end.h) ----------------------------------------------------------
    // Whether a port uses credit instead of pause frames.
    [[nodiscard]] bool has_credit(PortIndex port) const { return (with_credit_ & only(port)) != 0; }
    // Writes the credit update that such a port has to send now; returns its length, 0 if none is
    // due. Send it ahead of data that is not confirmed; call `credit_update_sent` after the device
    // accepted it.
    std::size_t credit_update(PortIndex port, std::span<uint8_t, longest_credit_update> octets,
                              Nanos now);
    void credit_update_sent(PortIndex port, std::size_t octets, Nanos now);

    // --- frames of control, such as LLDP --------------------------------------------------------
    // Returns the ports that may have a frame of control to send, each once. The caller sends the
    // port's frames until none is left, or postpones the port to the next poll. Called once a poll.
    PortSet take_control_due() {
        check_owner_();
        const PortSet due = shared_.control_due.load(std::memory_order_relaxed) & ports_;
        // Cleared before the mailbox is read, so that no frame is posted unseen.
        if (due != 0) shared_.control_due.fetch_and(~due, std::memory_order_acquire);
        return due;
    }
    // Returns the next frame, if any. Call `control_frame_sent` after the device accepted it.
    [[nodiscard]] std::span<const uint8_t> control_frame(PortIndex port);
    void control_frame_sent(PortIndex port);
    // Makes `take_control_due` return the port again at the next poll, after a refusal.
    void postpone_control(PortIndex port);

    // --- housekeeping (shard_housekeeping.cc) ---------------------------------------------------
    // Learns addresses that other workers saw, ages the FDB, and flushes the queues of ports that
    // are down. Called once a poll.
    void housekeep(Nanos now, Released& released);
    // Whether polls have no work until a frame arrives, control gives an order, or a timer expires.
    // Does not check for frames in queues, as `Switch::empty` does.
    [[nodiscard]] bool is_at_rest() const;
    // Whether the next `housekeep` sweeps for aged entries. It visits a few entries, so a sweep of
    // the whole table takes many polls.
    [[nodiscard]] bool is_to_age(Nanos now) const;
    // Makes an XON due to every paused peer. Called after the last `receive`.
    void release_peers();
    // Whether ports with link have yet to send frames of control or XONs.
    [[nodiscard]] bool has_pending_peer_frames() const;
    // Drops the frames that are still queued at the shard's ports after the drain, counted as
    // `shutdown`, while `released` has room. Returns true while frames are left.
    bool flush(Released& released);
    // Adopts settings that may change while running (settings.h). Call between bursts.
    void adopt(const Settings& settings);
    // Visits the shard's larger blocks of memory. Pages that were never used hold only zeros: a
    // simulation of many switches may return those pages to the system, a worker keeps them.
    template <class Visit>
    void for_each_block(Visit visit) {
        const auto visit_all_of = [&](auto& thing) {
            visit(std::as_writable_bytes(std::span(&thing, 1)));
        };
        visit_all_of(*latency_);
        visit_all_of(*sampling_);
        for_each_input(inputs_,
                       [&](InputIndex input) { ingress_[input.number]->for_each_block(visit); });
        for_each_port(ports_, [&](PortIndex port) {
            visit_all_of(*egress_[port]);
            visit_all_of(*mail_[port]);
        });
    }
    // Returns how often this shard has begun to clear its watermarks.
    [[nodiscard]] uint32_t watermark_clearings() const { return watermark_clearings_; }
    // --- its parts ------------------------------------------------------------------------------
    [[nodiscard]] const Ingress& ingress(InputIndex input) const { return *ingress_[input.number]; }
    [[nodiscard]] const Egress& egress(PortIndex port) const { return *egress_[port]; }
    [[nodiscard]] const PortCredit& credit(PortIndex port) const { return *credit_[port]; }

  private:
    // Outputs whose queued frames are dropped, and the drop reason.
    struct Flush {
        PortSet outputs;
        PrioritySet priorities;
        Drop reason;
        bool copies_alone = false;  // drops only copies in VOQs, for one output
    };

    [[nodiscard]] bool has_link(PortIndex port) const { return (links() & only(port)) != 0; }
    [[nodiscard]] bool is_further_lane(InputIndex input) const {
        return input.number >= shared_.port_count();
    }
    [[nodiscard]] ControlReceiver control_receiver(InputIndex input, const Ingress& ingress,
                                                   Nanos now);
    [[nodiscard]] PortSet links() const { return shared_.links.load(std::memory_order_relaxed); }
    // Returns the ports that may send data: those with link that are not closed for another reason.
    [[nodiscard]] PortSet outputs() const {
        return shared_.outputs.load(std::memory_order_relaxed);
    }
    [[nodiscard]] PortSet shut() const { return shared_.shut.load(std::memory_order_relaxed); }
    // Whether an output is open and need not wait for other members of its aggregation.
    [[nodiscard]] bool may_send(PortIndex output, Nanos now) {
        if ((outputs() & only(output)) == 0) return false;
        return (sending_ & only(output)) != 0 || may_distribute(output, now);
    }
    bool may_distribute(PortIndex output, Nanos now);
    // Makes `port` pause its peer as the relay's other end requests; and relays the pauses that
    // `port` receives while the other end works (PauseRelay::use).
    void pause_for_relay(PortIndex port, Nanos now);
    // Writes a probe of the relay's delay, or the answer to one (pfc/relay_probe.h). Returns false
    // if none is due.
    bool probe_relay(PortIndex port, std::span<uint8_t, pause_frame_octets> octets, Nanos now);
    void note_links();
    void note_outputs(PortSet open, Nanos now);
    void note_credit_links(Nanos now);
    [[nodiscard]] std::optional<Priority> priority_at_peer(PortIndex port,
                                                           std::span<const uint8_t> octets) const;
    void drop_control_without_credit(PortIndex port);
    void consume_for_control(PortIndex port, std::span<const uint8_t> octets);
    void follow_credit(PortIndex port, Nanos now);
    void configure_credit(PortIndex port, const Settings& settings);
    void start_credit(PortIndex port, Nanos now);
    void turn_off_credit(PortIndex port);
    void wait_for_regrouped(const Aggregations& before);
    // Drops the frames that are queued for outputs that are not open.
    void flush_closed(PortSet closed, Released& released);
    [[nodiscard]] PortSet given_up() const {
        return shared_.given_up.load(std::memory_order_relaxed);
    }
    // Returns the outputs for which a burst may bypass the VOQs: open outputs for which no VOQ of
    // the shard holds a frame, and which are not in `reacts_when_shallow_`. Outputs of other
    // workers are included only while no grant from this shard to them is under way.
    [[nodiscard]] PortSet open_outputs();
    // Returns the outputs that may drop a frame even if no VOQ of the shard has frames for them:
    // VOQs of other shards have frames, or the watchdog has given the output up.
    [[nodiscard]] PortSet waited_for_elsewhere() const;
    // Moves the frames of a grant.
    std::size_t move(InputIndex input, Grant grant, std::span<Frame, max_transfer> out);
    std::size_t move_from(InputIndex input, QueueKey path, std::span<Frame> out, Bytes quantum);
    void deliver(PortIndex output, std::span<const Frame> frames);
    // Moves frames past the arbiter to outputs that flow and have room. Called if there are several
    // workers.
    void move_to_flowing();
    bool move_to_flowing(QueueKey path, bool own);
    void settle_outputs();  // decides which outputs flow in the next poll
    void limit_bypass(PortIndex output, const Settings& settings);
    // Reports to the crossbar the priorities for which `output`, one of this worker's, has room.
    void offer(PortIndex output);
    // Decides which priorities of an output with PauseTrigger::egress are congested.
    void decide_pauses(PortIndex port);
    // Pauses the peer of an input while an output to which it sends is congested.
    void pause_feeders(InputIndex input);
    // Processes the control frames that further lanes of a port of this shard received.
    void receive_from_lanes(PortIndex port, Nanos now);
    // Removes idle ports from `active_`, and refreshes the pool if peers are paused.
    void deactivate_idle_ports();
    void watch(Nanos now);
    class Sample;  // a poll's sample for the recorder
    class QueueSample;
    void record(Nanos now);
    void sample_queues(Nanos now);
    // Parts of `adopt`. A role is a further use of a port, such as being a tunnel or a relay's end.
    void adopt_forwarding(const Settings& settings);
    void forget_roles();
    void adopt_roles(PortIndex port, const PortSettings& settings);
    void adopt_inputs(const Settings& settings);
    void adopt_outputs(const Settings& settings);
    void open_queues(Nanos now);
    [[nodiscard]] PrioritySet voq_backlog(PortIndex port) const;
    [[nodiscard]] uint64_t gone_by(PortIndex port) const;
    void clear_watermarks();
    void note_given_up(PortIndex port);
    void note_admin_status(PortIndex port, bool up);
    void discard_given_up(Released& released);
    bool flush(const Flush& what, Released& released);
    using Depths = std::array<Bytes, max_priorities>;
    [[nodiscard]] static Depths depths_of(const Ingress& ingress, PortIndex output);
    void capture_flushed(InputIndex input, const Flush& what, const Depths& depths,
                         std::span<const Frame> frames);
    void capture_dropped(PortIndex output, std::span<const Frame> frames, Drop why, Nanos now);

    const WorkerIndex worker_;
    const bool is_alone_;  // whether there is no other worker
    OwnerCheck check_owner_;
    SharedState& shared_;
    SharedBuffer::Shard& pool_;
    Forwarding::Shard& forwarding_;
    Crossbar::Shard& crossbar_;
    Handoff handoff_;
    const InputSet inputs_;
    const PortSet ports_;
    PortSet laned_ = 0;      // own ports with further lanes, of any worker
    PortSet active_ = 0;     // ports that may have frames to send, until `housekeep` removes them
    PortSet holding_ = 0;    // own ports with frames in their egress queues
    PortSet to_offer_ = 0;   // outputs with room not yet offered; used with one worker
    PortSet in_turns_ = 0;   // own ports whose priorities take turns
    PortSet held_ = 0;       // own ports where some priority may flow but does not
    PortSet to_settle_ = 0;  // ports of `held_` that sent frames since `settle_outputs`
    PortSet may_pause_ = 0;  // ports that have ever had a lossless priority or a relay
    // Own open outputs that need not wait for other members of their aggregation.
    PortSet sending_ = 0;
    PortSet outputs_seen_ = 0;  // open outputs at the last `note_outputs`
    PortSet links_seen_ = 0;    // ports with link at the last `note_links`
    PortSet tunnels_ = 0;       // own ports that are tunnels
    PortSet relays_ = 0;        // own ports that are ends of relays
    PortSet probing_ = 0;       // ends of relays whose pause frame is a probe
    PortSet with_queues_ = 0;   // own ports with a queue for each priority
    PortSet copyless_ = 0;      // stalled outputs for which no copy waits any more
    PortSet with_ring_ = 0;     // own ports whose only ring holds back the peer
    PortSet with_credit_ = 0;   // ports with credit, or that have left credit and still answer
    PortSet by_credit_ = 0;     // ports with credit by their settings
    PortSet triggers_ = 0;      // outputs, of all workers, that trigger pauses
    // Outputs that react to a low queue depth (bypass.h).
    PortSet reacts_when_shallow_ = 0;
    uint8_t first_input_ = 0;  // first input moved past the arbiter; rotates
    PortSet posted_ = 0;       // other workers' outputs to which a grant may be under way
    PortSet issued_then_ = 0;  // Crossbar::issued_outputs when `posted_` was set
    Bytes quantum_;
    bool bypass_ = false;
    uint32_t watermark_clearings_ = 0;
    InputSet with_old_watermarks_ = 0;
    Nanos next_check_;         // time of the next check by a watchdog
    Nanos last_housekeeping_;  // time of the last `housekeep`
    Tracer tracer_;
    Aqm aqm_;
    CapturePoints capture_points_;
    const std::unique_ptr<Latency> latency_;
    const std::unique_ptr<FlowSampling> sampling_;
    std::unique_ptr<FramePool> frames_;
    // Null for inputs and ports of another shard.
    std::array<std::unique_ptr<Ingress>, max_ports> ingress_;
    std::array<std::unique_ptr<PortCounters>, max_ports> counters_;
    std::array<std::unique_ptr<LaneMail>, max_ports> lane_mail_;  // set for further lanes
    std::array<std::unique_ptr<Egress>, max_ports> egress_;
    std::array<std::unique_ptr<PortCredit>, max_ports> credit_;
    std::array<PortIndex, max_ports> underlay_{};  // port below each tunnel
    std::array<PortIndex, max_ports> relay_to_{};  // other end of each relay
    std::array<std::unique_ptr<ControlMail>, max_ports> mail_;
    DistributionHold distribution_hold_;
    const std::unique_ptr<Trimmer> trimmer_;
    CsigPorts csig_;
};

}  // namespace sluice

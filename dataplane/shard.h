// Shard: the part of the switch that one worker has, and a frame's journey through it: its inputs
// with their VOQs and groups, its outputs with their egress queues, its entries for frames, its
// share of the pool, the crossbar and the forwarding, and the mail of its ports. shard.cc reads in
// the order of that journey.
//
// Only its worker calls it; the interface for control is Switch (switch.h), which hides this class.
// Where assertions are on (debug and sanitizer builds), a call by another thread that changes
// something is caught; `hand_over` passes the shard to the next caller.
//
// A poll: `receive` for each of its inputs, then `match` and `transfer` as often as the caller
// likes, then `transmit` and `confirm` for each of its ports that is `active`, then `housekeep`
// (poll.h writes that order down). VOQs are private to the input's worker, so between workers only
// matchings, moved frames and a few counters cross (fabric/crossbar.h says how).
//
// Bypass (bypass.h): where no VOQ of the shard holds a frame for an output, `receive` puts frames
// for it into its egress queue while that has room, or hands them over to the shard that has the
// output (fabric/handoff.h). Other frames take a VOQ.
//
// Bound: no call loops over more than the burst it was given, its own ports, or one matching. The
// exceptions are `adopt`, and a `housekeep` that has a flush to do or a link to forget: both may
// walk the tables of static entries and groups. No allocation after the constructor, no clock, no
// system call, no exception. Not done here: receiving, transmitting and freeing buffers; the caller
// does so as Released asks.
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
    // Allocates VOQs, egress queues, counters, mail and entries for frames, in the calling thread.
    Shard(WorkerIndex worker, const Settings& settings, SharedState& shared);
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;
    // At start, once all shards are made: gives each lane of a port access to the others.
    void connect_lanes();
    void hand_over() { check_owner_.hand_over(); }

    [[nodiscard]] InputSet inputs() const { return inputs_; }  // ports, and further lanes of any
    [[nodiscard]] PortSet ports() const { return ports_; }

    // --- input side -----------------------------------------------------------------------------
    // Takes over the burst (at most max_burst frames with handle, data and length set): each frame
    // is queued, or counted in one Drop and released. Other workers see frames that are handed over
    // to them only after `publish`.
    void receive(InputIndex input, std::span<Frame> burst, Nanos now, Released& released);
    // A poll that began at `then` lasted until `now`, since its worker lost the core: pauses that
    // the poll received count from its end.
    void received_until(Nanos now, Nanos then);
    // For a further lane: whether the port's worker has still to send a pause that lanes request.
    // Until it has, nothing is to be received for the lane.
    [[nodiscard]] bool waits_for_port(InputIndex input) const {
        return ingress(input).waits_for_port();
    }

    // --- fabric ---------------------------------------------------------------------------------
    // One slot: matches idle inputs with idle outputs, by the room that the outputs offered last.
    // Returns the number of pairs. Worker 0 matches for all workers; `match` of the others returns
    // 0.
    std::size_t match();
    // First `publish` and `collect`, then up to a quantum for every pair whose input is of this
    // shard.
    void transfer();
    // False if neither `match` nor `transfer` has anything to do now. With one worker: no VOQ holds
    // a frame. With several workers always true, as something may be to collect at any time.
    [[nodiscard]] bool may_transfer() const { return !is_alone_ || crossbar_.requested() != 0; }
    // Lets other workers see what was handed over to them. Call it only after the caller has acted
    // on Released of `receive`: that raises the reference counts of flooded frames, and a worker
    // that sees such a frame may free it.
    void publish() {
        check_owner_();
        handoff_.publish();
    }
    // Takes what other workers have handed over or moved to outputs of this one.
    void collect();
    // Whether another `match` and `transfer` in this poll may move frames that wait in VOQs. Frames
    // that bypassed may have filled an egress queue, which has room again after they were sent.
    // With several workers only the worker's own outputs that flow count; other frames wait for the
    // next poll.
    [[nodiscard]] bool waits_for_room() const {
        return (crossbar_.requested() & (is_alone_ ? ~PortSet{0} : ports_ & ~held_)) != 0;
    }
    // Its ports with frames in their egress queues; and the ports among them whose priorities take
    // turns.
    [[nodiscard]] PortSet holding() const { return holding_; }
    [[nodiscard]] PortSet holding_in_turns() const { return holding_ & in_turns_; }
    // The frames that wait in its VOQs, and the octets of the pool that they use.
    [[nodiscard]] std::size_t waiting() const { return frames_->waiting(); }
    [[nodiscard]] Bytes pool_used() const { return pool_.used(); }
    // Whether the use of the pool has grown by more than a quarter of the pool since `used_before`.
    [[nodiscard]] bool has_filled_pool(Bytes used_before) const {
        return (pool_.used() - used_before) * 4 > shared_.pool.size();
    }

    // --- output side ----------------------------------------------------------------------------
    // Ports that may have something to send. The other ports have no frame for `transmit` and none
    // for `pause_frame`.
    [[nodiscard]] PortSet active() const {
        check_owner_();
        // An output that decides whom to pause looks at all frames that wait for it, at any shard.
        if (triggers_ != 0) return ports_;
        // Ports with lanes or a relay may have a pause to send, ports by credit an update.
        return active_ | laned_ | relays_ | with_credit_;
    }
    // False if `transmit` would choose nothing: no frame is in the egress queues of the port.
    [[nodiscard]] bool has_to_send(PortIndex output) const {
        return ((holding_ | laned_ | tunnels_ | ~sending_) & only(output)) != 0 || tracer_.is_on();
    }
    // Picks what may leave `output` now, in order. Call `confirm` before the next `transmit`.
    std::size_t transmit(PortIndex output, std::span<Frame> burst, Nanos now);
    // The device took the first `sent` of the burst; the rest goes back to the head of its queues.
    void confirm(PortIndex output, std::span<const Frame> burst, std::size_t sent);
    // Instead of `confirm`: drops the first frame of the burst, and puts the rest back.
    void discard_first(PortIndex output, std::span<const Frame> burst, Drop why, Nanos now);
    // Blocks these priorities for `transmit` until the next call, as the credits of a link require.
    void block(PortIndex output, PrioritySet priorities);
    // Beside those, of a tunnel: what the peer of the port below it pauses, which is returned.
    PrioritySet block_with_underlay(PortIndex tunnel, Nanos now);
    [[nodiscard]] PrioritySet paused(PortIndex output, Nanos now);  // for its peer, or that below
    // Sets, until the next call, the priorities of which frames wait for retry outside the queues
    // (`beside`), and those of which none may wait (`discarded`).
    void note_retry(PortIndex output, PrioritySet beside, PrioritySet discarded);
    // Whether a frame that `transmit` chose may have an edit due (tag.h) before it is sent.
    [[nodiscard]] bool edits_tags() const {
        return shared_.edits_tags.load(std::memory_order_relaxed);
    }
    // PCP of the tags that `output` pushes, by priority.
    [[nodiscard]] const std::array<uint8_t, max_priorities>& pcp_of_own_tags(
        PortIndex output) const {
        return egress(output).pcp_of_own_tags();
    }

    // --- captures (capture/capture_points.h) ----------------------------------------------------
    // Whether any capture is attached: the other two functions are to be called only then.
    [[nodiscard]] bool is_captured() const { return capture_points_.any(); }
    // The frames that the device is about to be given.
    void capture(PortIndex output, std::span<const Frame> burst, Nanos now);
    // A frame that the switch made, such as a pause frame, after the device took it.
    void capture_generated(PortIndex output, std::span<const uint8_t> octets, Nanos now);

    // --- CSIG (csig/csig_tag.h): tags of what a device is about to be given ---------------------
    [[nodiscard]] bool updates_csig(PortIndex output) const {
        return (csig_.updating() & only(output)) != 0;
    }
    void update_csig(PortIndex output, std::span<const Frame> burst, Nanos now);
    CsigPorts& csig() { return csig_; }

    // --- PFC by back-pressure (pfc/queue_backpressure.h) ----------------------------------------
    // Whether a port has a receive and a transmit queue for each priority, in place of pause
    // frames.
    [[nodiscard]] bool has_queues(PortIndex port) const { return (with_queues_ & only(port)) != 0; }
    // Whether the peer is held back by full receive queues instead of pause frames: by some of
    // them, or by the only one.
    [[nodiscard]] bool holds_by_rings(PortIndex port) const {
        return ((with_queues_ | with_ring_) & only(port)) != 0;
    }
    // The receive queues of such a port that are to be left alone. At most `burst` frames are taken
    // from the others before the next call. A port with one ring returns all or none.
    [[nodiscard]] PrioritySet stopped_queues(PortIndex port, std::size_t burst) const {
        return ingress(port).stopped_queues(burst);
    }
    // After `confirm`, at such a port: the frames that the device took.
    void queues_took(PortIndex output, std::span<const Frame> sent, Nanos now);
    // The device's transmit queue of `priority` is full: `transmit` chooses none until `housekeep`.
    void queue_refused(PortIndex output, Priority priority, Nanos now);

    // --- pause frames ---------------------------------------------------------------------------
    // Whether the port certainly has one to send. If not, `pause_frame` may still find one.
    [[nodiscard]] bool pause_is_due(PortIndex port, Nanos now) const {
        return may_pause(port) && ingress(port).pause_sender().due(now);
    }
    // After `receive`, while the peer is held by pause frames (pfc/pause_obedience.h).
    void judge_peer(InputIndex input, bool emptied, Nanos now);
    // False if `pause_frame` need not be called: the port never had a lossless priority or relay.
    [[nodiscard]] bool may_pause(PortIndex port) const {
        return ((may_pause_ | laned_) & only(port)) != 0;
    }
    // Writes the PFC frame that is due to the peer of `port` now. False: none is due. Send it ahead
    // of any data; call `pause_frame_sent` after the device took it.
    bool pause_frame(PortIndex port, std::span<uint8_t, pause_frame_octets> octets, Nanos now);
    void pause_frame_sent(PortIndex port, Nanos now);

    // --- credit (credits/credit_end.h) ----------------------------------------------------------
    // Whether a port uses credit in place of pause frames.
    [[nodiscard]] bool has_credit(PortIndex port) const { return (with_credit_ & only(port)) != 0; }
    // Writes the update of credit that such a port has to send now; returns its octets, 0: none is
    // due. Send it ahead of data that is not confirmed; call `credit_update_sent` after the device
    // took it.
    std::size_t credit_update(PortIndex port, std::span<uint8_t, longest_credit_update> octets,
                              Nanos now);
    void credit_update_sent(PortIndex port, std::size_t octets, Nanos now);

    // --- frames of control, such as LLDP --------------------------------------------------------
    // Call once a poll: the ports that may have such a frame to send. Each port is returned once:
    // the caller takes its frames until none is left, or postpones the port to the next poll.
    PortSet take_control_due() {
        check_owner_();
        const PortSet due = shared_.control_due.load(std::memory_order_relaxed) & ports_;
        // Cleared before the mailbox is read, so that no frame is posted unseen.
        if (due != 0) shared_.control_due.fetch_and(~due, std::memory_order_acquire);
        return due;
    }
    // The next frame. Empty: none. Call `control_frame_sent` after the device took it.
    [[nodiscard]] std::span<const uint8_t> control_frame(PortIndex port);
    void control_frame_sent(PortIndex port);
    // The device refused it: `take_control_due` returns the port again at the next poll.
    void postpone_control(PortIndex port);

    // --- housekeeping (shard_housekeeping.cc) ---------------------------------------------------
    // Call once a poll: learns addresses that other workers saw, ages the FDB, flushes the queues
    // of ports that are down. Cheap when there is nothing to do.
    void housekeep(Nanos now, Released& released);
    // Whether polls have nothing to do until a frame arrives, control orders something, or a timer
    // expires. Frames that wait in queues are not looked at: `Switch::empty` does so.
    [[nodiscard]] bool is_at_rest() const;
    // Whether the next `housekeep` looks for entries that have aged. It looks at a few entries, so
    // a round of the whole table takes many polls.
    [[nodiscard]] bool is_to_age(Nanos now) const;
    // Call after the last `receive`: every paused peer is to be sent an XON.
    void release_peers();
    // Whether frames of control, or XONs, are still to be sent by ports with link.
    [[nodiscard]] bool has_pending_peer_frames() const;
    // After the drain: drops the frames that are still queued at its ports, counted as `shutdown`,
    // as long as `released` has room. Returns true while frames are left.
    bool flush(Released& released);
    // Adopts settings that may change while running (settings.h). Call between bursts.
    void adopt(const Settings& settings);
    // Visits its larger blocks of memory. Pages that were never used hold zeros alone: a simulation
    // of many switches may return those pages to the system, a worker keeps them.
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
    // How often this shard has begun to clear its watermarks.
    [[nodiscard]] uint32_t watermark_clearings() const { return watermark_clearings_; }
    // --- what it has ----------------------------------------------------------------------------
    [[nodiscard]] const Ingress& ingress(InputIndex input) const { return *ingress_[input.number]; }
    [[nodiscard]] const Egress& egress(PortIndex port) const { return *egress_[port]; }
    [[nodiscard]] const PortCredit& credit(PortIndex port) const { return *credit_[port]; }

  private:
    // Outputs whose frames are to be dropped, and the drop reason.
    struct Flush {
        PortSet outputs;
        PrioritySet priorities;
        Drop reason;
        bool copies_alone = false;  // that wait in VOQs for one output
    };

    [[nodiscard]] bool has_link(PortIndex port) const { return (links() & only(port)) != 0; }
    [[nodiscard]] bool is_further_lane(InputIndex input) const {
        return input.number >= shared_.port_count();
    }
    [[nodiscard]] ControlReceiver control_receiver(InputIndex input, const Ingress& ingress,
                                                   Nanos now);
    [[nodiscard]] PortSet links() const { return shared_.links.load(std::memory_order_relaxed); }
    // Ports that data may be sent to: ports with link that are not closed for another reason.
    [[nodiscard]] PortSet outputs() const {
        return shared_.outputs.load(std::memory_order_relaxed);
    }
    [[nodiscard]] PortSet shut() const { return shared_.shut.load(std::memory_order_relaxed); }
    // Whether an output is open and does not have to wait for other members of its aggregation.
    [[nodiscard]] bool may_send(PortIndex output, Nanos now) {
        if ((outputs() & only(output)) == 0) return false;
        return (sending_ & only(output)) != 0 || may_distribute(output, now);
    }
    bool may_distribute(PortIndex output, Nanos now);
    // Has `port` pause its peer for frames that the relay's other end received; and relays the
    // pauses that `port` receives while the other end works (PauseRelay::use).
    void pause_for_relay(PortIndex port, Nanos now);
    // Writes a probe of the relay's delay, or the answer to one (pfc/relay_probe.h). False: none is
    // due.
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
    // Outputs for which a burst may bypass the VOQs: open outputs for which no VOQ of the shard
    // holds a frame, and which do not react to a VOQ depth as small as the bypassed frames. Outputs
    // of other workers only while no grant from this shard to them is under way.
    [[nodiscard]] PortSet open_outputs();
    // Outputs that may drop a frame though no VOQ of the shard waits for them: VOQs of other shards
    // do, or the watchdog has given them up.
    [[nodiscard]] PortSet waited_for_elsewhere() const;
    // Moves the frames of a grant.
    std::size_t move(InputIndex input, Grant grant, std::span<Frame, max_transfer> out);
    std::size_t move_from(InputIndex input, QueueKey path, std::span<Frame> out, Bytes quantum);
    void deliver(PortIndex output, std::span<const Frame> frames);
    // With several workers: moves frames for outputs that flow past the arbiter, as far as the
    // outputs have room for them.
    void move_to_flowing();
    bool move_to_flowing(QueueKey path, bool own);
    void settle_outputs();  // at the end of a poll: which of its outputs flow in the next
    void limit_bypass(PortIndex output, const Settings& settings);
    // Reports to the crossbar which priorities one of its outputs has room for.
    void offer(PortIndex output);
    // For an output that pauses its feeders (PauseTrigger::egress): decides which priorities it
    // pauses.
    void decide_pauses(PortIndex port);
    // Pauses the peer of an input on behalf of such outputs as long as one is congested.
    void pause_feeders(InputIndex input);
    // Takes the control frames that further lanes of a port of this shard received.
    void receive_from_lanes(PortIndex port, Nanos now);
    // Takes idle ports out of `active_`, and refreshes the pool where peers are paused.
    void deactivate_idle_ports();
    void watch(Nanos now);
    class Sample;  // what a recorder gets of a poll, where one is on, and IPFIX of queues
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
    const bool is_alone_;  // no other worker
    OwnerCheck check_owner_;
    SharedState& shared_;
    SharedBuffer::Shard& pool_;
    Forwarding::Shard& forwarding_;
    Crossbar::Shard& crossbar_;
    Handoff handoff_;
    const InputSet inputs_;
    const PortSet ports_;
    PortSet laned_ = 0;      // of its ports those with further lanes, of any worker
    PortSet active_ = 0;     // that received or were given frames, until `housekeep` sees them rest
    PortSet holding_ = 0;    // of its ports those with frames in their egress queues
    PortSet to_offer_ = 0;   // with one worker: whose room the crossbar does not know yet
    PortSet in_turns_ = 0;   // of its ports those whose priorities share them by turns
    PortSet held_ = 0;       // of its ports those of which a priority does not flow that may
    PortSet to_settle_ = 0;  // of these, those that sent something since it last looked
    PortSet may_pause_ = 0;  // those that had something lossless, or a relay, at any time
    PortSet sending_ = 0;    // of its ports those that are open and wait for no others
    PortSet outputs_seen_ = 0;  // that were open when it last looked
    PortSet links_seen_ = 0;    // that had link then
    PortSet tunnels_ = 0;       // of its ports
    PortSet relays_ = 0;        // likewise, ends of relays
    PortSet probing_ = 0;       // of these, whose pause frame is a probe
    PortSet with_queues_ = 0;   // its ports with a queue for each priority
    PortSet copyless_ = 0;      // given up, and no copy waits for them any more
    PortSet with_ring_ = 0;     // its ports that hold the peer by their only ring
    PortSet with_credit_ = 0;   // ports with credit, or that left it a moment ago and still answer
    PortSet by_credit_ = 0;     // of these: ports with credit by their settings
    PortSet triggers_ = 0;      // outputs, of all workers, that pause who feeds them
    // Outputs that react to a low queue depth (bypass.h).
    PortSet reacts_when_shallow_ = 0;
    uint8_t first_input_ = 0;  // to be moved past the arbiter; another each time
    PortSet posted_ = 0;       // outputs of others whose last grant from here may be under way,
    PortSet issued_then_ = 0;  // and what the arbiter had issued by then
    Bytes quantum_;
    bool bypass_ = false;
    uint32_t watermark_clearings_ = 0;
    InputSet with_old_watermarks_ = 0;
    Nanos next_check_;         // of the earliest watchdog among its ports
    Nanos last_housekeeping_;  // when it last was
    Tracer tracer_;
    Aqm aqm_;
    CapturePoints capture_points_;
    const std::unique_ptr<Latency> latency_;
    const std::unique_ptr<FlowSampling> sampling_;
    std::unique_ptr<FramePool> frames_;
    // Null for inputs and ports of another shard.
    std::array<std::unique_ptr<Ingress>, max_ports> ingress_;
    std::array<std::unique_ptr<PortCounters>, max_ports> counters_;
    std::array<std::unique_ptr<LaneMail>, max_ports> lane_mail_;  // of further lanes
    std::array<std::unique_ptr<Egress>, max_ports> egress_;
    std::array<std::unique_ptr<PortCredit>, max_ports> credit_;
    std::array<PortIndex, max_ports> underlay_{};  // of tunnels
    std::array<PortIndex, max_ports> relay_to_{};  // of relays, the other end
    std::array<std::unique_ptr<ControlMail>, max_ports> mail_;
    DistributionHold distribution_hold_;
    const std::unique_ptr<Trimmer> trimmer_;
    CsigPorts csig_;
};

}  // namespace sluice

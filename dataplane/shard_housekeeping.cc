// A shard's work once a poll, when settings change, and at shutdown.
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

#include "dataplane/bypass.h"
#include "dataplane/shard.h"

namespace sluice {

void Shard::housekeep(Nanos now, Released& released) {
    check_owner_();
    assert(now >= last_housekeeping_);
    last_housekeeping_ = now;
    latency_->end_poll(now);
    capture_points_.adopt();
    record(now);
    sample_queues(now);
    for_each_port(csig_.updating() & ports_, [&](PortIndex port) {
        const PortCounters& sent = *counters_[port];
        csig_.output(port).look(sent.tx_frames.value(), sent.tx_bytes.value(), now);
    });
    if (TraceBoard* const board = shared_.trace_board.load(std::memory_order_acquire)) {
        tracer_.attend(*board);
        tracer_.set_time(now);
    }
    const PortSet open = outputs();
    if (worker_ == 0) {
        const PortSet learn = open | shared_.learners.load(std::memory_order_relaxed);
        if (shared_.forwarding.has_housekeeping_for(learn, now))
            shared_.forwarding.housekeep(learn, now);
    }
    if (links() != links_seen_) [[unlikely]]
        note_links();
    if (open != outputs_seen_) [[unlikely]] {
        note_outputs(open, now);
    } else if (with_credit_ != 0) [[unlikely]] {
        note_credit_links(now);
    }
    if ((holding_ | to_settle_) != 0) settle_outputs();
    deactivate_idle_ports();
    const uint32_t asked = shared_.watermark_clearings.load(std::memory_order_relaxed);
    if (asked != watermark_clearings_ || with_old_watermarks_ != 0) [[unlikely]] {
        clear_watermarks();
    }
    // Frames under way to an output of another worker are dropped by that worker.
    const PortSet closed = (crossbar_.requested() | active_) & ~open;
    if (closed != 0) [[unlikely]]
        flush_closed(closed, released);
    if constexpr (!with_pfc) return;
    for_each_input(inputs_ & ~ports_, [&](InputIndex lane) {
        if (triggers_ != 0) pause_feeders(lane);
        ingress_[lane.number]->reconsider();
    });
    if (with_queues_ != 0) open_queues(now);
    if (now >= next_check_) watch(now);
    copyless_ &= given_up();
    if (given_up() != 0) discard_given_up(released);
}

bool Shard::is_at_rest() const {
    bool watches = false;
    for_each_port(ports_, [&](PortIndex port) {
        const Egress& egress = *egress_[port];
        watches |= egress.watchdog().pfc_storms() != 0 || egress.stall_watch().is_stalled();
    });
    return active() == 0 && with_queues_ == 0 && !watches && with_old_watermarks_ == 0 &&
           !has_pending_peer_frames();
}

bool Shard::is_to_age(Nanos now) const { return worker_ == 0 && shared_.forwarding.is_to_age(now); }

void Shard::open_queues(Nanos now) {
    for_each_port(with_queues_, [&](PortIndex port) { egress_[port]->open_queues(now); });
}

void Shard::flush_closed(PortSet closed, Released& released) {
    const PortSet down = closed & ~links();
    const PortSet looped = closed & ~down & shut();
    const PortSet kept = shared_.blocked.load(std::memory_order_relaxed);
    const PortSet blocked = closed & ~down & ~looped & kept;
    const PortSet detached = closed & ~down & ~looped & ~blocked;
    if (down != 0) flush({down, 0xFF, Drop::egress_down}, released);
    if (looped != 0) flush({looped, 0xFF, Drop::loop_shut}, released);
    if (blocked != 0) flush({blocked, 0xFF, Drop::stp_discarding}, released);
    if (detached != 0) flush({detached, 0xFF, Drop::lacp_detached}, released);
}

void Shard::note_links() {
    const PortSet up = links();  // read once: a link that comes up later counts at the next call
    for_each_port(up & ~links_seen_ & ports_,
                  [&](PortIndex port) { ingress_[port]->pause_sender().repeat(); });
    links_seen_ = up;
}

// Notes outputs that opened or closed. Outputs that open together do not wait for each other.
void Shard::note_outputs(PortSet open, Nanos now) {
    if (with_credit_ != 0) note_credit_links(now);
    sending_ &= open;
    for_each_port(open & ~outputs_seen_ & ports_, [&](PortIndex port) {
        distribution_hold_.begin(
            port, forwarding_.aggregations().others(port) & outputs_seen_ & open, now);
    });
    outputs_seen_ = open;
}

// Makes members of a changed aggregation wait for the ports whose flows they take over.
void Shard::wait_for_regrouped(const Aggregations& before) {
    for_each_port(outputs_seen_ & ports_, [&](PortIndex port) {
        const PortSet others =
            forwarding_.aggregations().takes_over_from(port, before) & outputs_seen_;
        if (others == 0) return;
        sending_ &= ~only(port);
        distribution_hold_.begin(port, others, last_housekeeping_);
    });
}

void Shard::deactivate_idle_ports() {
    // Whether peers are, or may be, paused: by outputs that trigger pauses, or by further lanes.
    bool pauses = triggers_ != 0 || inputs_ != ports_;
    PortSet waited_for = holding_;
    for_each_port(active_ & may_pause_, [&](PortIndex port) {
        if (ingress(port).pause_sender().at_rest()) return;
        pauses = true;
        waited_for |= only(port);
    });
    active_ &= waited_for;
    // A worker that pauses all its peers receives no frames, so it refreshes its view of the pool
    // here.
    if (pauses) pool_.refresh();
}

// Clears the watermarks of one input a poll: those of all inputs would make the poll too long.
void Shard::clear_watermarks() {
    const uint32_t asked = shared_.watermark_clearings.load(std::memory_order_relaxed);
    if (asked != watermark_clearings_) {
        watermark_clearings_ = asked;
        with_old_watermarks_ = inputs_;
        pool_.clear_watermark();
        latency_->clear_watermark();
    }
    if (with_old_watermarks_ == 0) return;  // a worker without ports
    const InputIndex input(static_cast<uint8_t>(std::countr_zero(with_old_watermarks_)));
    ingress_[input.number]->clear_watermarks();
    with_old_watermarks_ &= ~only(input);
}

void Shard::watch(Nanos now) {
    Nanos next = Watchdog::never;
    for_each_port(ports_, [&](PortIndex port) {
        Egress& egress = *egress_[port];
        if (now >= egress.next_check()) {
            PrioritySet waits = voq_backlog(port);
            for_each_port(tunnels_, [&](PortIndex tunnel) {
                if (underlay_[tunnel] != port) return;
                waits |= voq_backlog(tunnel);
                waits |= egress_[tunnel]->backlog();
                waits |= egress_[tunnel]->beside();
            });
            if ((tunnels_ & only(port)) != 0) block_with_underlay(port, now);
            egress.watch({waits, gone_by(port), may_send(port, now)}, now);
            note_given_up(port);
        }
        next = std::min(next, egress.next_check());
    });
    next_check_ = next;
}

// Returns the frames that left an output: frames that were sent, or dropped because the output's
// device never accepts them. Frames that the switch made do not count, sent or dropped: pauses may
// have a transmit queue of their own.
uint64_t Shard::gone_by(PortIndex port) const {
    const PortCounters& counters = *counters_[port];
    const DropCounters& drops = counters.egress_drops;
    return counters.tx_frames.value() - counters.generated.value() +
           drops.of(Drop::too_long_for_interface) + drops.of(Drop::no_buffer) +
           drops.of(Drop::no_credit);
}

// Returns the priorities for which frames wait in VOQs.
PrioritySet Shard::voq_backlog(PortIndex port) const {
    PrioritySet backlog = 0;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        if (shared_.depth({port, priority}).count() > 0) backlog |= only_priority(priority);
    }
    return backlog;
}

void Shard::note_retry(PortIndex output, PrioritySet beside, PrioritySet discarded) {
    check_owner_();
    Egress& egress = *egress_[output];
    egress.set_beside(beside);
    if (egress.without_session() == discarded) return;
    egress.discard_without_session(discarded);
    note_given_up(output);
}

void Shard::note_given_up(PortIndex port) {
    if (egress_[port]->gives_up()) {
        shared_.given_up.fetch_or(only(port), std::memory_order_relaxed);
    } else {
        shared_.given_up.fetch_and(~only(port), std::memory_order_relaxed);
    }
}

void Shard::note_admin_status(PortIndex port, bool up) {
    if (up) {
        shared_.down.fetch_and(~only(port), std::memory_order_relaxed);
    } else {
        shared_.down.fetch_or(only(port), std::memory_order_relaxed);
    }
}

// Drops the queued frames of priorities that a watchdog discards, and of those that may not wait
// for a retry session. New frames for them are dropped on admission.
void Shard::discard_given_up(Released& released) {
    for_each_port(given_up(), [&](PortIndex output) {
        const Egress& egress = *shared_.egress[output];
        const PrioritySet priorities = egress.discarding();
        if (priorities != 0) flush({only(output), priorities, Drop::pfc_storm}, released);
        const PrioritySet closed = egress.without_session();
        if (closed != 0) flush({only(output), closed, Drop::no_retry_session}, released);
        if (!egress.stall_watch().is_stalled()) return;
        if (egress.stall_watch().drops_all()) {
            flush({only(output), 0xFF, Drop::egress_stalled}, released);
        } else if ((copyless_ & only(output)) == 0) {
            // No more copies are queued, so the search ends once a flush finds none.
            const std::size_t room = released.room();
            flush({only(output), 0xFF, Drop::egress_stalled, true}, released);
            if (room > 0 && released.room() == room) copyless_ |= only(output);
        }
    });
}

void Shard::release_peers() {
    check_owner_();
    triggers_ = 0;
    relays_ = probing_ = 0;
    active_ = ports_;
    for_each_input(inputs_, [&](InputIndex input) { ingress_[input.number]->release_peer(); });
}

bool Shard::has_pending_peer_frames() const {
    const PortSet with_link = ports_ & links();
    bool is_pending = (shared_.control_due.load(std::memory_order_relaxed) & with_link) != 0;
    for_each_port(with_link,
                  [&](PortIndex port) { is_pending |= ingress(port).has_pending_pause(); });
    return is_pending;
}

bool Shard::flush(Released& released) {
    check_owner_();
    if (!is_alone_) collect();
    return flush({first_ports(shared_.port_count()), 0xFF, Drop::shutdown}, released);
}

// Drops queued frames. With a capture attached outputs are flushed one by one, as a record contains
// the frame's output. Frames in egress queues are dropped first: they are older than those in VOQs.
bool Shard::flush(const Flush& what, Released& released) {
    if (capture_points_.any() && !std::has_single_bit(what.outputs)) {
        for_each_port(what.outputs, [&](PortIndex output) {
            flush({only(output), what.priorities, what.reason}, released);
        });
        return released.room() == 0;
    }
    std::array<Frame, Released::capacity> frames;
    const auto room = [&] { return std::span(frames).first(released.room()); };
    const auto free_first = [&](DropCounters& drops, std::size_t count) {
        if (tracer_.is_on()) [[unlikely]]
            tracer_.dropped(what.outputs, std::span(frames).first(count), what.reason);
        for (const Frame& frame : std::span(frames).first(count)) {
            latency_->forget(frame);
            released.free(frame.handle);
        }
        if (count > 0) drops.count(what.reason, count);
        return std::span<const Frame>(frames).first(what.reason == Drop::pfc_storm ? count : 0);
    };
    for_each_port(ports_ & what.outputs, [&](PortIndex port) {
        Egress& egress = *egress_[port];
        if (egress.empty() || what.copies_alone) return;
        const bool may_resume = has_queues(port) && what.reason == Drop::pfc_storm;
        const std::size_t count = what.reason == Drop::egress_stalled
                                      ? egress.take_behind_first(room())
                                  : may_resume ? egress.take_behind_refused(what.priorities, room())
                                               : egress.take_any(what.priorities, room());
        if (capture_points_.any())
            capture_dropped(port, std::span(frames).first(count), what.reason, last_housekeeping_);
        for (const Frame& frame : free_first(counters_[port]->egress_drops, count)) {
            egress.count_watchdog_drops(frame.priority, 1);
        }
        offer(port);
    });
    for_each_input(inputs_, [&](InputIndex input) {
        Ingress& ingress = *ingress_[input.number];
        Depths depths;
        if (capture_points_.any()) depths = depths_of(ingress, first_of(what.outputs));
        const std::size_t count = what.copies_alone
                                      ? ingress.flush_copies(first_of(what.outputs), room())
                                      : ingress.flush(what.outputs, what.priorities, room());
        if (capture_points_.any())
            capture_flushed(input, what, depths, std::span(frames).first(count));
        for (const Frame& frame : free_first(counters_[input.number]->drops, count)) {
            ingress.count_watchdog_drops({first_of(what.outputs), frame.priority}, 1);
        }
    });
    return released.room() == 0;
}

Shard::Depths Shard::depths_of(const Ingress& ingress, PortIndex output) {
    Depths depths;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        depths[priority] = ingress.voq(output, priority).bytes();
    }
    return depths;
}

// Captures flushed frames, all of which waited for one output. `depths`: depths before the flush.
void Shard::capture_flushed(InputIndex input, const Flush& what, const Depths& depths,
                            std::span<const Frame> frames) {
    const PortIndex port = ingress(input).port();
    for (const Frame& frame : frames) {
        capture_points_.dropped_ingress(
            port, frame, frame.priority, what.reason,
            {.input = port, .output = first_of(what.outputs), .depth = depths[frame.priority]},
            last_housekeeping_);
    }
}

void Shard::capture_dropped(PortIndex output, std::span<const Frame> frames, Drop why, Nanos now) {
    for (const Frame& frame : frames) {
        const Bytes depth = shared_.ingress[frame.input]->voq(output, frame.priority).bytes();
        capture_points_.dropped_egress(output, frame, why, depth, now);
    }
}

void Shard::adopt(const Settings& settings) {
    check_owner_();
    if (worker_ == 0) {
        shared_.crossbar.configure(settings.fabric);
        shared_.pool.resize(shared_size(settings));
    }
    adopt_forwarding(settings);
    quantum_ = settings.fabric.quantum;
    bypass_ = settings.fabric.bypass;
    aqm_.configure(settings.ports);
    handoff_.configure(quantum_);
    latency_->configure(settings.latency_one_in);
    trimmer_->configure(settings);
    csig_.configure(settings);
    next_check_ = Nanos(0);
    active_ = ports_;
    forget_roles();
    reacts_when_shallow_ = reacting_when_shallow(settings);
    held_ = ports_;
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        adopt_roles(port, settings.ports[port]);
    }
    adopt_inputs(settings);
    adopt_outputs(settings);
}

void Shard::adopt_forwarding(const Settings& settings) {
    const Aggregations before = forwarding_.aggregations();
    forwarding_.adopt(settings);
    wait_for_regrouped(before);
    if (forwarding_.edits_tags()) shared_.edits_tags.store(true, std::memory_order_relaxed);
}

// Ends the blocks of tunnels and the pauses for relays, so that ports that are no longer tunnels or
// ends of relays do not keep them.
void Shard::forget_roles() {
    for_each_port(tunnels_, [&](PortIndex tunnel) { egress_[tunnel]->block_with_underlay(0); });
    for_each_port(relays_,
                  [&](PortIndex port) { ingress_[port]->pause_sender().pause_for_relay(0); });
    triggers_ = with_queues_ = with_ring_ = tunnels_ = relays_ = probing_ = 0;
}

void Shard::adopt_roles(PortIndex port, const PortSettings& settings) {
    const PfcSettings& pfc = settings.pfc;
    const PortSet own = only(port) & ports_;
    const bool pauses_by_output = pfc.trigger == PauseTrigger::egress && pfc.lossless != 0;
    if (pauses_by_output) triggers_ |= only(port);
    if (pfc.by == PfcBy::queues) with_queues_ |= own;
    if (pfc.by == PfcBy::ring) with_ring_ |= own;
    underlay_[port] = settings.underlay;
    if (underlay_[port] != no_underlay) tunnels_ |= own;
    relay_to_[port] = pfc.relay.to;
    if (pfc.relay.to != no_relay) relays_ |= own;
    if (pfc.lossless != 0 || pfc.relay.to != no_relay) may_pause_ |= own;
}

void Shard::adopt_inputs(const Settings& settings) {
    for_each_input(inputs_, [&](InputIndex input) {
        Ingress& ingress = *ingress_[input.number];
        ingress.configure(settings);
        sampling_->configure(input, settings.ports[ingress.port()].sflow_one_in,
                             settings.sflow_header);
    });
}

void Shard::adopt_outputs(const Settings& settings) {
    for_each_port(ports_, [&](PortIndex port) {
        const PortSettings& about = settings.ports[port];
        egress_[port]->configure(about, quantum_, settings.workers);
        limit_bypass(port, settings);
        in_turns_ = egress_[port]->takes_turns() ? in_turns_ | only(port) : in_turns_ & ~only(port);
        configure_credit(port, settings);
        // A tunnel is down if the port below it is.
        const bool is_below_up =
            about.underlay == no_underlay || settings.ports[about.underlay].enabled;
        note_admin_status(port, about.enabled && is_below_up);
        offer(port);
        note_given_up(port);
    });
}

}  // namespace sluice

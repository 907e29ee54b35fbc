#include "dataplane/shard.h"

#include <bit>
#include <cassert>
#include <utility>
#include <vector>

#include "dataplane/bypass.h"
#include "dataplane/ingress_pipeline/pipeline.h"

namespace sluice {
namespace {

// Returns the most frames that VOQs can hold: a full buffer of the shortest frames, plus the bursts
// of floods by which several workers and lanes may overdraw it.
std::size_t most_frames(const Settings& settings) {
    return most_frames_in_buffer(settings) +
           most_frames_overdrawn(settings) * settings.ports.size();
}

InputSet inputs_of(WorkerIndex worker, const Settings& settings) {
    InputSet inputs = 0;
    PortIndex number = 0;
    for (const PortSettings& port : settings.ports) {
        if (port.worker == worker) inputs |= only(number);
        ++number;
    }
    for (const LaneSettings& lane : settings.lanes) {
        if (lane.worker == worker) inputs |= only(number);
        ++number;
    }
    return inputs;
}

}  // namespace

Shard::Shard(WorkerIndex worker, const Settings& settings, SharedState& shared)
    : worker_(worker),
      is_alone_(settings.workers == 1),
      shared_(shared),
      pool_(shared.pool.shard(worker)),
      forwarding_(shared.forwarding.shard(worker)),
      crossbar_(shared.crossbar.shard(worker)),
      handoff_(worker, settings, shared.handoff_queues, shared.crossbar),
      inputs_(inputs_of(worker, settings)),
      ports_(inputs_ & first_ports(settings.ports.size())),
      tracer_(worker),
      aqm_(settings.seed + worker),
      latency_(std::make_unique<Latency>(settings.seed + worker, shared.latency)),
      sampling_(std::make_unique<FlowSampling>(settings.seed, inputs_)),
      trimmer_(std::make_unique<Trimmer>()),
      csig_(settings.ports.size()) {
    shared.latency[worker] = latency_.get();
    shared.csig[worker] = &csig_;
    shared.capture_points[worker] = &capture_points_;
    shared.sampling[worker] = sampling_.get();
    const std::size_t ports = settings.ports.size();
    const auto voqs = static_cast<std::size_t>(std::popcount(inputs_)) * ports * max_priorities;
    frames_ = std::make_unique<FramePool>(FramePool::chunks_for(most_frames(settings), voqs));
    for_each_input(inputs_, [&](InputIndex input) {
        auto& ingress = ingress_[input.number];
        ingress =
            std::make_unique<Ingress>(input, ports, Ingress::Shared{pool_, *frames_, crossbar_});
        counters_[input.number] = std::make_unique<PortCounters>();
        shared.ingress[input.number] = ingress.get();
        shared.counters[input.number] = counters_[input.number].get();
        shared.crossbar.set_backlogs(input, ingress->backlogs(), sizeof(Voq));
    });
    for_each_input(inputs_ & ~ports_, [&](InputIndex lane) {
        lane_mail_[lane.number] = std::make_unique<LaneMail>();
        shared.lane_mail[lane.number - ports] = lane_mail_[lane.number].get();
    });
    for_each_port(ports_, [&](PortIndex port) {
        mail_[port] = std::make_unique<ControlMail>();
        egress_[port] = std::make_unique<Egress>(settings.workers);
        credit_[port] = std::make_unique<PortCredit>();
        shared.egress[port] = egress_[port].get();
        shared.credit[port] = &credit_[port]->watch;
        shared.mail[port] = mail_[port].get();
    });
}

void Shard::connect_lanes() {
    for (PortIndex port = 0; port < shared_.port_count(); ++port) {
        const InputSet lanes = shared_.lanes_of[port];
        if (std::has_single_bit(lanes)) continue;
        laned_ |= only(port) & ports_;
        for_each_input(lanes & inputs_, [&](InputIndex self) {
            std::vector<const Ingress*> others;
            for_each_input(lanes & ~only(self), [&](InputIndex other) {
                others.push_back(shared_.ingress[other.number]);
            });
            ingress_[self.number]->become_lane(port, std::move(others));
        });
    }
}

// --- a frame's journey: ingress ---

// `flatten`, here and below, inlines all steps: calls would cost as much as the steps.
[[gnu::flatten]] void Shard::receive(InputIndex input, std::span<Frame> burst, Nanos now,
                                     Released& released) {
    check_owner_();
    assert(burst.size() <= max_burst && (inputs_ & only(input)) != 0);
    Ingress& ingress = *ingress_[input.number];
    pool_.refresh();
    active_ |= only(input) & ports_;
    if (ingress.has_others()) [[unlikely]]
        ingress.look_at_others();
    const bool may_be_traced = tracer_.wants(ingress.port());
    if (may_be_traced) [[unlikely]]
        tracer_.set_time(now);
    Bypass bypass({ingress, egress_, handoff_}, open_outputs());
    const bool by_credit = (with_credit_ & only(input)) != 0;
    IngressContext context{.input = input,
                           .ingress = ingress,
                           .counters = *counters_[input.number],
                           .forwarding = forwarding_,
                           .crossbar = crossbar_,
                           .aqm = aqm_,
                           .shared = shared_,
                           .control = control_receiver(input, ingress, now),
                           .open = outputs(),
                           .discarding = given_up() | aqm_.dropping_outputs(),
                           .waited_for = waited_for_elsewhere(),
                           .now = now,
                           .latency = *latency_,
                           .released = released,
                           .bypass = bypass,
                           .trimmer = *trimmer_,
                           .csig = csig_,
                           .observers = {capture_points_.any() ? &capture_points_ : nullptr,
                                         sampling_->is_on(input) ? sampling_.get() : nullptr},
                           .tracer = may_be_traced ? &tracer_ : nullptr,
                           .credit = by_credit ? credit_[input.number].get() : nullptr};
    run_ingress_pipeline(context, burst, shared_.crossbar.reads_backlogs());
    if (by_credit) [[unlikely]]
        follow_credit(ingress.port(), now);
    const PortSet own = bypass.used() & ports_;
    active_ |= own;
    if (!is_alone_) return for_each_port(own, [&](PortIndex output) { offer(output); });
    // With one worker, `match` offers the room just before it reads the room. Most frames have left
    // by that time.
    holding_ |= own;
    to_offer_ |= own;
}

void Shard::received_until(Nanos now, Nanos then) {
    check_owner_();
    for_each_port(ports_, [&](PortIndex port) { egress_[port]->gate().received_until(now, then); });
}

PortSet Shard::open_outputs() {
    if (!bypass_) return 0;
    if (posted_ != 0) posted_ &= shared_.crossbar.lacking(issued_then_);
    return outputs() & ~crossbar_.requested() & ~posted_ & ~reacts_when_shallow_;
}

// The requests of other workers are read only if a curve may drop, as they are in other cores'
// cache lines.
PortSet Shard::waited_for_elsewhere() const {
    const bool asks = !is_alone_ && aqm_.dropping_outputs() != 0;
    return given_up() | (asks ? shared_.crossbar.wanted() : PortSet{0});
}

ControlReceiver Shard::control_receiver(InputIndex input, const Ingress& ingress, Nanos now) {
    const PortSettings& settings = ingress.settings();
    if (is_further_lane(input)) [[unlikely]]
        return {settings, *lane_mail_[input.number], now};
    const PortIndex port = ingress.port();
    return {settings, egress_[port]->gate(), *mail_[port], last_housekeeping_, now};
}

// --- a frame's journey: fabric ---

std::size_t Shard::match() {
    check_owner_();
    for_each_port(std::exchange(to_offer_, 0), [&](PortIndex output) { offer(output); });
    return worker_ == 0 ? shared_.crossbar.match() : 0;
}

[[gnu::flatten]] void Shard::transfer() {
    check_owner_();
    if (!is_alone_) {
        publish();
        collect();
        if (crossbar_.requested() != 0) [[unlikely]]
            move_to_flowing();
    }
    const InputSet inputs = crossbar_.granted(inputs_);
    if (inputs == 0) return;
    const Crossbar& crossbar = shared_.crossbar;
    for_each_input(inputs, [&](InputIndex input) {
        const Grant grant = crossbar.grant_of(input);
        std::as_const(*ingress_[input.number]).prefetch(grant);
        if ((ports_ & only(grant.output)) != 0) {
            std::as_const(*egress_[grant.output]).prefetch(grant.priority);
        }
    });
    PortSet delivered = 0;
    PortSet posted = 0;
    std::size_t frames_in_all = 0;
    for_each_input(inputs, [&](InputIndex input) {
        const Grant grant = crossbar.grant_of(input);
        std::size_t frames = 0;
        if ((ports_ & only(grant.output)) != 0) {
            std::array<Frame, max_transfer> moved;
            frames = move(input, grant, moved);
            deliver(grant.output, std::span(moved).first(frames));
            delivered |= only(grant.output);
        } else {
            frames = move(input, grant, crossbar_.transfer_buffer(grant.output));
            crossbar_.filled(grant.output, frames);
            posted |= only(grant.output);
        }
        frames_in_all += frames;
    });
    if (posted != 0) {
        posted_ |= posted;
        issued_then_ = (issued_then_ & ~posted) | (crossbar.issued_outputs() & posted);
        crossbar_.post(posted);
    }
    crossbar_.executed(inputs, frames_in_all);
    if (delivered != 0) crossbar_.absorbed(delivered);
}

void Shard::collect() {
    check_owner_();
    PortSet filled = 0;
    const PortSet outputs = crossbar_.posted(ports_);
    // Handed-over frames are collected after `posted` was read: so all frames that were handed over
    // before a posted frame are found.
    shared_.handoff_queues.take(
        worker_,
        [&](const HandedOver& handed_over) {
            assert((ports_ & only(handed_over.output)) != 0);
            egress_[handed_over.output]->push_handed_over(handed_over.frame);
            filled |= only(handed_over.output);
        },
        // The room is offered before the frames count as collected (handoff.h).
        [&] {
            active_ |= filled;
            for_each_port(std::exchange(filled, 0), [&](PortIndex output) { offer(output); });
        });
    if (outputs == 0) return;
    for_each_port(outputs, [&](PortIndex output) { deliver(output, crossbar_.posted_to(output)); });
    crossbar_.collected(outputs);
}

// Moves the frames of a grant. Between workers a grant takes some polls, so the quantum that one
// input leaves unused serves other inputs of the shard that request the same queue, the next inputs
// first. Only inputs whose whole backlog fits are served, and then need no grant: others would get
// more than their share.
std::size_t Shard::move(InputIndex input, Grant grant, std::span<Frame, max_transfer> out) {
    assert(grant.output < shared_.port_count() && grant.priority < max_priorities);
    std::size_t frames = move_from(input, grant, out, quantum_);
    const InputSet others = is_alone_ ? 0 : crossbar_.requesting(grant);
    if (others == 0) return frames;
    Bytes octets;
    for (const Frame& frame : out.first(frames)) octets += frame.size();
    const InputSet behind = others & ~first_ports(input.number);
    for (const InputSet turn : {behind, others & ~behind}) {
        for_each_input(turn, [&](InputIndex other) {
            const auto more = out.subspan(frames);
            if (!ingress(other).is_within(grant, more.size(), quantum_ - octets)) return;
            const std::size_t added = move_from(other, grant, more, quantum_);
            for (const Frame& frame : more.first(added)) octets += frame.size();
            frames += added;
        });
    }
    return frames;
}

// Moves frames from a VOQ, and marks them by the depth of their output and priority, over all
// inputs, before the move.
std::size_t Shard::move_from(InputIndex input, QueueKey path, std::span<Frame> out, Bytes quantum) {
    Ingress& ingress = *ingress_[input.number];
    std::size_t frames = 0;
    if (!aqm_.covers(path)) {
        frames = ingress.move(path, out, quantum);
    } else {
        const Bytes before = shared_.depth(path);
        frames = ingress.move(path, out, quantum);
        ingress.count_marked(path, aqm_.mark(path, before, out.first(frames)));
    }
    if (tracer_.is_on()) [[unlikely]]
        tracer_.leaves_voq(path.output, out.first(frames));
    return frames;
}

void Shard::deliver(PortIndex output, std::span<const Frame> frames) {
    assert((ports_ & only(output)) != 0);
    egress_[output]->push(frames);
    active_ |= only(output);
    offer(output);
}

void Shard::offer(PortIndex output) {
    assert((ports_ & only(output)) != 0);
    const Egress& egress = *egress_[output];
    holding_ = egress.empty() ? holding_ & ~only(output) : holding_ | only(output);
    crossbar_.offer(output, {egress.room(), egress.room_for_handoff(), egress.flowing()});
}

// --- a frame's journey: egress ---

[[gnu::flatten]] std::size_t Shard::transmit(PortIndex output, std::span<Frame> burst, Nanos now) {
    check_owner_();
    if ((laned_ & only(output)) != 0) [[unlikely]]
        receive_from_lanes(output, now);
    if ((tunnels_ & only(output)) != 0) [[unlikely]]
        block_with_underlay(output, now);
    Egress& egress = *egress_[output];
    if (egress.takes_turns()) [[unlikely]]
        egress.set_own_voq_backlog(crossbar_.requested_for(output));
    const std::size_t count = may_send(output, now) ? egress.select(burst, now) : 0;
    if (tracer_.is_on()) [[unlikely]] {
        tracer_.set_time(now);
        tracer_.chose(output, burst.first(count));
    }
    return count;
}

// Whether an output that has opened, or joined an aggregation, may send. It may not while other
// members of the aggregation may hold frames of the flows that the output takes over.
[[gnu::noinline]] bool Shard::may_distribute(PortIndex output, Nanos now) {
    if (outputs() != outputs_seen_) note_outputs(outputs(), now);
    const bool over =
        distribution_hold_.is_over(output, now, [&](PortIndex other, Priority priority) {
            return shared_.egress[other]->queue(priority).waiting() == 0 &&
                   shared_.depth({other, priority}).count() == 0;
        });
    if (over) sending_ |= only(output);
    return over;
}

[[gnu::flatten]] void Shard::confirm(PortIndex output, std::span<const Frame> burst,
                                     std::size_t sent) {
    check_owner_();
    assert(sent <= burst.size());
    if (burst.empty()) return;
    if (capture_points_.any()) [[unlikely]]
        capture_points_.sent(sent);
    uint64_t bytes = 0;
    uint8_t marks = 0;
    for (const Frame& frame : burst.first(sent)) {
        bytes += frame.length;
        marks |= frame.latency_mark;
    }
    if (tracer_.is_on()) [[unlikely]]
        tracer_.sent(burst, sent, {*egress_[output], credit_[output]->watch});
    counters_[output]->tx_frames.add(sent);
    counters_[output]->tx_bytes.add(bytes);
    if (marks != 0) [[unlikely]]
        latency_->left(burst.first(sent));
    egress_[output]->put_back(burst, sent);
    if (egress_[output]->is_held()) [[unlikely]] {
        held_ |= only(output);
        to_settle_ |= only(output);
    }
    offer(output);
}

void Shard::capture(PortIndex output, std::span<const Frame> burst, Nanos now) {
    check_owner_();
    capture_points_.about_to_send(output, burst, now);
}

void Shard::capture_generated(PortIndex output, std::span<const uint8_t> octets, Nanos now) {
    check_owner_();
    capture_points_.generated(output, octets, now);
}

void Shard::discard_first(PortIndex output, std::span<const Frame> burst, Drop why, Nanos now) {
    check_owner_();
    assert(!burst.empty() && why != Drop::none);
    if (tracer_.is_on()) [[unlikely]]
        tracer_.dropped(only(output), burst.first(1), why);
    counters_[output]->egress_drops.count(why);
    if (capture_points_.any()) {
        capture_points_.sent(0);
        capture_dropped(output, burst.first(1), why, now);
    }
    latency_->forget(burst.front());
    egress_[output]->put_back(burst, 1);
    held_ |= only(output);
    to_settle_ |= only(output);
    offer(output);
}

// Blocks the priorities of a tunnel that the port below may not send, except those that the
// watchdog discards at the port below.
[[gnu::noinline]] PrioritySet Shard::block_with_underlay(PortIndex tunnel, Nanos now) {
    check_owner_();
    Egress& below = *egress_[underlay_[tunnel]];
    const auto blocked = static_cast<PrioritySet>(below.blocked(now) & ~below.discarding());
    egress_[tunnel]->block_with_underlay(blocked);
    return blocked;
}

void Shard::queues_took(PortIndex output, std::span<const Frame> sent, Nanos now) {
    check_owner_();
    egress_[output]->queue_backpressure().took(sent, now);
}

void Shard::queue_refused(PortIndex output, Priority priority, Nanos now) {
    check_owner_();
    egress_[output]->refuse(priority, now);
}

}  // namespace sluice

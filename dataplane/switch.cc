#include "dataplane/switch.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "dataplane/buffer/dynamic_threshold.h"
#include "dataplane/buffer/pause_levels.h"
#include "dataplane/intake.h"

namespace sluice {
namespace {

// The most frames that can wait in VOQs: a full buffer of the shortest ones, and what several
// workers and lanes may overdraw in bursts of floods.
std::size_t most_frames(const Settings& settings) {
    Bytes shortest = bare_frame;
    for (const PortSettings& port : settings.ports)
        shortest = std::min(shortest, port.format.header);
    const auto charge = std::max(settings.buffer.cell, shortest);
    const std::size_t overdrawn = settings.workers * max_burst + frames_beyond_levels(settings);
    return static_cast<std::size_t>(settings.buffer.size.count() / charge.count()) +
           overdrawn * settings.ports.size();
}

}  // namespace

Switch::Switch(const Settings& settings, const OnWorker& on_worker)
    : pool_(shared_size(settings), settings.buffer.cell, settings.workers),
      forwarding_(settings),
      crossbar_(settings.fabric, settings.ports.size() + settings.lanes.size(), settings.workers) {
    const std::size_t ports = settings.ports.size();
    const std::size_t inputs = ports + settings.lanes.size();
    std::array<PortSet, max_workers> owned{};
    for (PortIndex input = 0; input < inputs; ++input) {
        worker_of_.push_back(input < ports ? settings.ports[input].worker
                                           : settings.lanes[input - ports].worker);
        owned[worker_of_[input]] |= only(input);
    }
    for (PortIndex port = 0; port < ports; ++port) lanes_of_.push_back(only(port));
    counters_.resize(inputs);
    ingress_.resize(inputs);
    from_lanes_.resize(settings.lanes.size());
    mail_.resize(ports);
    egress_.resize(ports);
    frame_pools_.resize(settings.workers);
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
        desks_.emplace_back(owned[worker], owned[worker] & first_ports(ports),
                            settings.seed + worker);
    }
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
        on_worker(worker, [&] { furnish(worker, settings); });
    }
    join_lanes(settings);
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
        on_worker(worker, [&] { adopt(worker, settings); });
    }
}

void Switch::furnish(WorkerIndex worker, const Settings& settings) {
    const std::size_t ports = settings.ports.size();
    const PortSet inputs = inputs_of(worker);
    const auto voqs = static_cast<std::size_t>(std::popcount(inputs)) * ports * max_priorities;
    frame_pools_[worker] =
        std::make_unique<FramePool>(FramePool::chunks_for(most_frames(settings), voqs));
    const Ingress::Surroundings around{worker, pool_, *frame_pools_[worker], crossbar_};
    for_each_port(inputs, [&](PortIndex input) {
        counters_[input] = std::make_unique<PortCounters>();
        ingress_[input] = std::make_unique<Ingress>(input, ports, around);
        if (input >= ports) from_lanes_[input - ports] = std::make_unique<LaneMail>();
    });
    for_each_port(ports_of(worker), [&](PortIndex port) {
        mail_[port] = std::make_unique<ControlMail>();
        egress_[port] = std::make_unique<Egress>();
    });
}

void Switch::join_lanes(const Settings& settings) {
    auto input = static_cast<PortIndex>(port_count());
    for (const LaneSettings& lane : settings.lanes) lanes_of_[lane.port] |= only(input++);
    for (PortIndex port = 0; port < port_count(); ++port) {
        const PortSet lanes = lanes_of(port);
        if (std::has_single_bit(lanes)) continue;
        desks_[worker_of_[port]].laned |= only(port);
        for_each_port(lanes, [&](PortIndex self) {
            std::vector<Ingress*> others;
            for_each_port(lanes & ~only(self),
                          [&](PortIndex other) { others.push_back(ingress_[other].get()); });
            ingress_[self]->join(port, std::move(others));
        });
    }
}

// --- a frame's journey: in ---

// Here and below `flatten` makes one function of many short steps: calls between them would cost as
// much as the steps.
[[gnu::flatten]] void Switch::receive(PortIndex input, std::span<Frame> burst, Nanos now,
                                      Released& released) {
    Desk& desk = desks_[worker_of_[input]];
    Ingress& ingress = *ingress_[input];
    pool_.refresh(worker_of_[input]);
    desk.active |= only(input) & desk.ports;
    if (ingress.has_others()) [[unlikely]]
        ingress.look_at_others();
    const Format& format = ingress.format();
    Intake intake(*this, input, now, released);
    if (format.is_standard) [[likely]] {
        intake.take<Intake::Layout::standard>(burst);
    } else if (format.short_ids) {
        intake.take<Intake::Layout::ids>(burst);
    } else {
        intake.take<Intake::Layout::addresses>(burst);
    }
}

// --- across ---

[[gnu::flatten]] void Switch::transfer(WorkerIndex worker) {
    if (desks_.size() > 1) collect(worker);
    const PortSet inputs = crossbar_.granted(worker, inputs_of(worker));
    if (inputs == 0) return;
    for_each_port(inputs, [&](PortIndex input) {
        const Grant grant = crossbar_.grant_of(input);
        std::as_const(*ingress_[input]).prefetch(grant);
        std::as_const(*egress_[grant.output]).prefetch(grant.priority);
    });
    PortSet delivered = 0;
    PortSet posted = 0;
    std::size_t frames_in_all = 0;
    for_each_port(inputs, [&](PortIndex input) {
        const Grant grant = crossbar_.grant_of(input);
        std::size_t frames = 0;
        if (worker_of_[grant.output] == worker) {
            std::array<Frame, max_transfer> moved;
            frames = move(worker, input, grant, moved);
            deliver(worker, grant.output, std::span(moved).first(frames));
            delivered |= only(grant.output);
        } else {
            frames = move(worker, input, grant, crossbar_.mailbox(grant.output));
            crossbar_.filled(grant.output, frames);
            posted |= only(grant.output);
        }
        frames_in_all += frames;
    });
    if (posted != 0) crossbar_.post(worker, posted);
    crossbar_.executed(worker, inputs, frames_in_all);
    if (delivered != 0) crossbar_.absorbed(worker, delivered);
}

void Switch::collect(WorkerIndex worker) {
    const PortSet outputs = crossbar_.posted(worker, ports_of(worker));
    if (outputs == 0) return;
    for_each_port(outputs,
                  [&](PortIndex output) { deliver(worker, output, crossbar_.posted_to(output)); });
    crossbar_.collected(worker, outputs);
}

// A frame is marked by the depth of its queue as it leaves it, before any pause is due.
std::size_t Switch::move(WorkerIndex worker, PortIndex input, Grant grant,
                         std::span<Frame, max_transfer> out) {
    Marker& marker = desks_[worker].marker;
    if (!marker.covers(grant)) return ingress_[input]->move(grant, out);
    const Bytes before = depth(grant);
    const std::size_t frames = ingress_[input]->move(grant, out);
    ingress_[input]->count_marked(grant, marker.mark(grant, before, out.first(frames)));
    return frames;
}

Bytes Switch::depth(Grant column) const {
    Bytes sum;
    for (const auto& ingress : ingress_)
        sum += std::as_const(*ingress).voq(column.output, column.priority).bytes();
    return sum;
}

void Switch::deliver(WorkerIndex worker, PortIndex output, std::span<const Frame> frames) {
    egress_[output]->push(frames);
    desks_[worker].active |= only(output);
    crossbar_.offer(worker, output, egress_[output]->room());
}

// --- out ---

[[gnu::flatten]] std::size_t Switch::transmit(PortIndex output, std::span<Frame> burst, Nanos now) {
    if ((desks_[worker_of_[output]].laned & only(output)) != 0) [[unlikely]]
        hear_lanes(output, now);
    return link(output) ? egress_[output]->select(burst, now) : 0;
}

[[gnu::flatten]] void Switch::confirm(PortIndex output, std::span<const Frame> burst,
                                      std::size_t sent) {
    if (burst.empty()) return;
    uint64_t bytes = 0;
    for (const Frame& frame : burst.first(sent)) bytes += frame.length;
    counters_[output]->tx_frames.add(sent);
    counters_[output]->tx_bytes.add(bytes);
    egress_[output]->put_back(burst, sent);
    crossbar_.offer(worker_of_[output], output, egress_[output]->room());
}

void Switch::discard_first(PortIndex output, std::span<const Frame> burst, Drop why) {
    counters_[output]->egress_drops.count(why);
    egress_[output]->put_back(burst, 1);
    crossbar_.offer(worker_of_[output], output, egress_[output]->room());
}

bool Switch::pause_frame(PortIndex port, std::span<uint8_t, pause_frame_octets> octets, Nanos now) {
    if constexpr (!with_pfc) return false;
    weigh(worker_of_[port], port);
    ingress_[port]->reconsider();
    const Ingress& ingress = *ingress_[port];
    if (!ingress.xoff().due(now)) return false;
    write_pause_frame(octets, ingress.settings().address, ingress.xoff().frame());
    return true;
}

void Switch::pause_frame_sent(PortIndex port, Nanos now) {
    ingress_[port]->xoff().sent(now);
    counters_[port]->generated.add(1);
    counters_[port]->tx_frames.add(1);
    counters_[port]->tx_bytes.add(pause_frame_octets);
}

void Switch::weigh(WorkerIndex worker, PortIndex port) {
    const PortSet triggers = desks_[worker].triggers;
    if (triggers == 0) return;
    if ((triggers & only(port)) != 0) {
        std::array<Bytes, max_priorities> depths;
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            depths[priority] = depth({port, priority});
        }
        const PfcSettings& pfc = ingress_[port]->settings().pfc;
        const Bytes free = pool_.free(worker);
        egress_[port]->weigh(depths, xoff_level(pfc, free), xon_level(pfc, free));
    }
    press(worker, port);
}

void Switch::press(WorkerIndex worker, PortIndex input) {
    ingress_[input]->press(desks_[worker].triggers,
                           [&](PortIndex output) { return egress_[output]->congested(); });
}

// A lane has counted each as taken; what is beyond a limit of the port's is not told apart.
[[gnu::noinline]] void Switch::hear_lanes(PortIndex port, Nanos now) {
    for_each_port(lanes_of(port) & ~only(port), [&](PortIndex lane) {
        LaneMail& mail = *from_lanes_[lane - port_count()];
        for (auto octets = mail.pauses.front(); !octets.empty(); octets = mail.pauses.front()) {
            const PfcSettings& pfc = ingress_[port]->settings().pfc;
            PauseFrame pause;
            const Drop why = read_pause_frame(octets, {pfc.peer, pfc.link_pause}, pause);
            if (why == Drop::none) egress_[port]->gate().hear(pause, now, tended(worker_of_[port]));
            mail.pauses.pop();
        }
        for (auto octets = mail.lldp.front(); !octets.empty(); octets = mail.lldp.front()) {
            mail_[port]->hear(octets, now);
            mail.lldp.pop();
        }
    });
}

PortSet Switch::active(WorkerIndex worker) const {
    const Desk& desk = desks_[worker];
    // An output that decides whom to pause looks at all that waits for it, wherever that is.
    if (desk.triggers != 0) return desk.ports;
    // Another worker may have given a port with lanes something to tell.
    return desk.active | desk.laned;
}

void Switch::settle(WorkerIndex worker) {
    PortSet& active = desks_[worker].active;
    // Or may, by outputs that decide or by further lanes.
    bool pauses = desks_[worker].triggers != 0 || inputs_of(worker) != ports_of(worker);
    for_each_port(active, [&](PortIndex port) {
        const bool nobody_waits = std::as_const(*ingress_[port]).xoff().at_rest();
        pauses |= !nobody_waits;
        if (nobody_waits && egress_[port]->empty()) active &= ~only(port);
    });
    // Whoever pauses everybody receives nothing, and still has to see the pool come back.
    if (pauses) pool_.refresh(worker);
}

// --- frames of control ---

bool Switch::send_for_control(PortIndex port, std::span<const uint8_t> octets) {
    if (!link(port) || !mail_[port]->due.post(octets)) return false;
    control_due_.fetch_or(only(port), std::memory_order_release);
    return true;
}

// Cleared before the frames are looked for, so that none is posted unseen.
PortSet Switch::take_control_due(WorkerIndex worker) {
    const PortSet due = control_due() & ports_of(worker);
    if (due != 0) control_due_.fetch_and(~due, std::memory_order_acquire);
    return due;
}

std::span<const uint8_t> Switch::control_frame(PortIndex port) {
    Mailbox& due = mail_[port]->due;
    // Without link there is nobody to tell.
    while (!link(port) && !due.front().empty()) due.pop();
    return due.front();
}

void Switch::control_frame_sent(PortIndex port) {
    Mailbox& due = mail_[port]->due;
    counters_[port]->generated.add(1);
    counters_[port]->tx_frames.add(1);
    counters_[port]->tx_bytes.add(due.front().size());
    due.pop();
}

void Switch::put_off_control(PortIndex port) {
    control_due_.fetch_or(only(port), std::memory_order_relaxed);
}

// --- housekeeping ---

void Switch::tend(WorkerIndex worker, Nanos now, Released& released) {
    desks_[worker].tended = now;
    if (worker == 0) forwarding_.tend(links(), now);
    settle(worker);
    if (desks_.size() > 1) desks_[worker].waited_for = crossbar_.requested_elsewhere(worker);
    // To the others without link nothing is under way from here.
    const PortSet down = (crossbar_.requested(worker) | desks_[worker].active) & ~links();
    if (down != 0) flush(worker, {down, 0xFF, Drop::egress_down}, released);
    if constexpr (!with_pfc) return;
    for_each_port(inputs_of(worker) & ~ports_of(worker), [&](PortIndex lane) {
        if (desks_[worker].triggers != 0) press(worker, lane);
        ingress_[lane]->reconsider();
    });
    if (now >= desks_[worker].next_look) watch(worker, now);
    if (storms() != 0) discard_storms(worker, released);
}

void Switch::watch(WorkerIndex worker, Nanos now) {
    Nanos next = Watchdog::never;
    for_each_port(ports_of(worker), [&](PortIndex port) {
        Egress& egress = *egress_[port];
        if (now >= egress.next_look()) {
            PrioritySet fed = 0;
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                if (depth({port, priority}).count() > 0) fed |= only_priority(priority);
            }
            egress.watch(fed, now);
            note_storms(port);
        }
        next = std::min(next, egress.next_look());
    });
    desks_[worker].next_look = next;
}

void Switch::note_storms(PortIndex port) {
    if (egress_[port]->discarding() != 0) {
        storms_.fetch_or(only(port), std::memory_order_relaxed);
    } else {
        storms_.fetch_and(~only(port), std::memory_order_relaxed);
    }
}

// What waits for a queue that the watchdog has given up on; what comes for it is refused.
void Switch::discard_storms(WorkerIndex worker, Released& released) {
    for_each_port(storms(), [&](PortIndex output) {
        const PrioritySet priorities = egress_[output]->discarding();
        if (priorities != 0) flush(worker, {only(output), priorities, Drop::pfc_storm}, released);
    });
}

void Switch::release_peers(WorkerIndex worker) {
    desks_[worker].triggers = 0;
    desks_[worker].active = ports_of(worker);
    for_each_port(inputs_of(worker), [&](PortIndex input) { ingress_[input]->release_peer(); });
}

bool Switch::owes_peers(WorkerIndex worker) const {
    bool owes = (control_due() & ports_of(worker) & links()) != 0;
    for_each_port(ports_of(worker) & links(),
                  [&](PortIndex port) { owes |= ingress_[port]->owes_peer(); });
    return owes;
}

bool Switch::flush(WorkerIndex worker, Released& released) {
    return flush(worker, {first_ports(port_count()), 0xFF, Drop::shutdown}, released);
}

bool Switch::flush(WorkerIndex worker, const Flush& what, Released& released) {
    std::array<Frame, Released::capacity> frames;
    const auto room = [&] { return std::span(frames).first(released.room()); };
    const auto let_go = [&](DropCounters& drops, std::size_t count) {
        for (const Frame& frame : std::span(frames).first(count)) released.free(frame.handle);
        if (count > 0) drops.count(what.reason, count);
        return std::span<const Frame>(frames).first(what.reason == Drop::pfc_storm ? count : 0);
    };
    for_each_port(inputs_of(worker), [&](PortIndex input) {
        Ingress& ingress = *ingress_[input];
        const std::size_t count = ingress.flush(what.outputs, what.priorities, room());
        for (const Frame& frame : let_go(counters_[input]->drops, count)) {
            ingress.count_stormed({first_of(what.outputs), frame.priority}, 1);
        }
    });
    for_each_port(ports_of(worker) & what.outputs, [&](PortIndex port) {
        Egress& egress = *egress_[port];
        if (egress.empty()) return;
        const std::size_t count = egress.take_any(what.priorities, room());
        for (const Frame& frame : let_go(counters_[port]->egress_drops, count)) {
            egress.count_stormed(frame.priority, 1);
        }
        crossbar_.offer(worker, port, egress.room());
    });
    return released.room() == 0;
}

void Switch::adopt(WorkerIndex worker, const Settings& settings) {
    if (worker == 0) {
        crossbar_.configure(settings.fabric);
        pool_.resize(shared_size(settings));
    }
    forwarding_.adopt(worker, settings);
    if (forwarding_.edits_tags(worker)) edits_tags_.store(true, std::memory_order_relaxed);
    Desk& desk = desks_[worker];
    desk.marker.configure(settings.ports, settings.fabric.quantum);
    desk.bypass = settings.fabric.bypass;
    desk.next_look = Nanos(0);
    desk.triggers = 0;
    desk.active = desk.ports;
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        const PfcSettings& pfc = settings.ports[port].pfc;
        const bool decides = pfc.trigger == PauseTrigger::egress && pfc.lossless != 0;
        if (decides) desk.triggers |= only(port);
    }
    for_each_port(desk.inputs, [&](PortIndex input) { ingress_[input]->configure(settings); });
    for_each_port(desk.ports, [&](PortIndex port) {
        egress_[port]->configure(settings.ports[port], settings.fabric.quantum, settings.workers);
        crossbar_.offer(worker, port, egress_[port]->room());
        note_storms(port);
    });
}

void Switch::set_link(PortIndex port, bool up) {
    const PortSet links_now = up ? links() | only(port) : links() & ~only(port);
    links_up_.store(links_now, std::memory_order_relaxed);
}

bool Switch::empty() const {
    return crossbar_.idle() &&
           std::ranges::all_of(egress_, [](const auto& egress) { return egress->waiting() == 0; });
}

}  // namespace sluice

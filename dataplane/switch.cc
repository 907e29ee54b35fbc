#include "dataplane/switch.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "dataplane/buffer/dynamic_threshold.h"

namespace sluice {
namespace {

constexpr uint16_t lldp_ether_type = 0x88CC;

PortIndex first_of(PortSet ports) { return static_cast<PortIndex>(std::countr_zero(ports)); }

template <class Visit>
void for_each_port(PortSet ports, Visit visit) {
    for (; ports != 0; ports &= ports - 1) visit(first_of(ports));
}

// The most frames that can wait in VOQs: a full buffer of the shortest ones, and what several
// workers may overdraw in one burst of floods each.
std::size_t most_frames(const Settings& settings) {
    const auto charge = std::max(settings.buffer.cell, bare_frame);
    return static_cast<std::size_t>(settings.buffer.size.count() / charge.count()) +
           settings.workers * max_burst * settings.ports.size();
}

}  // namespace

Switch::Switch(const Settings& settings)
    : pool_(shared_size(settings), settings.buffer.cell, settings.workers),
      forwarding_(settings),
      crossbar_(settings.fabric, settings.ports.size(), settings.workers) {
    const std::size_t ports = settings.ports.size();
    std::array<PortSet, max_workers> owned{};
    for (PortIndex port = 0; port < ports; ++port) {
        worker_of_.push_back(settings.ports[port].worker);
        owned[worker_of_[port]] |= only(port);
    }
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
        desks_.emplace_back(owned[worker], settings.seed + worker);
        const auto voqs =
            static_cast<std::size_t>(std::popcount(owned[worker])) * ports * max_priorities;
        frame_pools_.push_back(
            std::make_unique<FramePool>(FramePool::chunks_for(most_frames(settings), voqs)));
    }
    for (PortIndex port = 0; port < ports; ++port) {
        const WorkerIndex worker = worker_of_[port];
        const Ingress::Surroundings around{worker, pool_, *frame_pools_[worker], crossbar_};
        counters_.push_back(std::make_unique<PortCounters>());
        ingress_.push_back(std::make_unique<Ingress>(port, ports, around));
        egress_.push_back(std::make_unique<Egress>());
    }
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) adopt(worker, settings);
}

// --- a frame's journey: in ---

// One burst on its way in, with what is the same for all its frames.
class Switch::Intake {
  public:
    Intake(Switch& self, PortIndex input, Nanos now, Released& released)
        : input_(input),
          worker_(self.worker_of_[input]),
          links_(self.links()),
          storms_(self.storms()),
          now_(now),
          ingress_(*self.ingress_[input]),
          egress_(self.egress_),
          counters_(*self.counters_[input]),
          forwarding_(self.forwarding_),
          released_(released) {}

    void take(std::span<Frame> burst) {
        std::array<Forwarding::Probes, max_burst> probes;
        std::array<Drop, max_burst> verdict;
        Forwarding::Probes before{};
        uint64_t bytes = 0;
        for (std::size_t n = 0; n < burst.size(); ++n) {
            bytes += burst[n].length;
            Headers headers;
            verdict[n] = examine(burst[n], headers);
            if (verdict[n] != Drop::none) continue;
            before = probes[n] = forwarding_.prepare(burst[n], headers, before);
        }
        counters_.rx_frames.add(burst.size());
        counters_.rx_bytes.add(bytes);

        const uint32_t epoch = Fdb::epoch_of(now_);
        Drop of_source = Drop::none;
        for (std::size_t n = 0; n < burst.size(); ++n) {
            const Frame& frame = burst[n];
            PortSet outputs = 0;
            Drop why = verdict[n];
            if (why == Drop::none) {
                if (!probes[n].same_source) {
                    of_source = forwarding_.accept(worker_, frame, probes[n].source, epoch);
                }
                why = of_source;
            }
            if (why == Drop::none) {
                why = forwarding_.route(worker_, frame, probes[n].destination, links_, outputs);
            }
            if (why == Drop::none) {
                enqueue(frame, outputs);
            } else {
                counters_.drops.count(why);
                released_.free(frame.handle);
            }
        }
    }

  private:
    // Parse, classify, and what can be told from the headers alone.
    Drop examine(Frame& frame, Headers& headers) {
        const std::span<const uint8_t> octets(frame.data, frame.length);
        const PortSettings& settings = ingress_.settings();
        if (const Drop why = parse(octets, headers); why != Drop::none) return why;
        if (frame.size() > settings.max_frame) return Drop::oversize;
        if (headers.ether_type == mac_control_ether_type) return hear(octets);
        if (headers.destination.is_reserved()) {
            const bool lldp =
                headers.destination == lldp_address && headers.ether_type == lldp_ether_type;
            return lldp ? Drop::lldp : Drop::reserved_address;
        }
        frame.input = input_;
        frame.vlan = headers.vlan != 0 ? headers.vlan : settings.default_vlan;
        frame.network_offset = headers.network_offset;
        frame.priority = ingress_.classify(headers);
        return Drop::none;
    }

    // MAC control ends at the port that heard it.
    [[gnu::noinline]] Drop hear(std::span<const uint8_t> octets) {
        if constexpr (!with_pfc) return Drop::pause_opcode;
        const PfcSettings& pfc = ingress_.settings().pfc;
        PauseFrame pause;
        const Drop why = read_pause_frame(octets, {pfc.peer, pfc.link_pause}, pause);
        if (why != Drop::none) return why;
        const bool listens = egress_[input_]->gate().hear(pause, now_);
        return listens ? Drop::mac_control : Drop::pause_limit;
    }

    Drop admit(const Frame& frame, PortIndex output) {
        const bool may_storm = with_pfc && (storms_ & only(output)) != 0;
        if (may_storm && discards(frame, output)) [[unlikely]]
            return Drop::pfc_storm;
        return ingress_.admit(frame, output);
    }
    [[gnu::noinline]] bool discards(const Frame& frame, PortIndex output) {
        if ((egress_[output]->discarding() & only_priority(frame.priority)) == 0) return false;
        ingress_.count_stormed({output, frame.priority}, 1);
        return true;
    }

    // One copy an output, all of the same buffer.
    void enqueue(const Frame& frame, PortSet outputs) {
        if (std::has_single_bit(outputs)) {
            const Drop why = admit(frame, first_of(outputs));
            if (why == Drop::none) return;
            counters_.drops.count(why);
            released_.free(frame.handle);
        } else {
            flood(frame, outputs);
        }
    }
    [[gnu::noinline]] void flood(Frame frame, PortSet outputs) {
        frame.network_offset = 0;  // its octets are everybody's: no output may write a mark there
        uint16_t queued = 0;
        for_each_port(outputs, [&](PortIndex output) {
            const Drop why = admit(frame, output);
            if (why == Drop::none) {
                ++queued;
            } else {
                counters_.drops.count(why);
            }
        });
        counters_.copied.add(static_cast<uint64_t>(std::popcount(outputs) - 1));
        if (queued == 0) released_.free(frame.handle);
        if (queued > 1) released_.share(frame.handle, static_cast<uint16_t>(queued - 1));
    }

    PortIndex input_;
    WorkerIndex worker_;
    PortSet links_;
    PortSet storms_;
    Nanos now_;
    Ingress& ingress_;
    const std::vector<std::unique_ptr<Egress>>& egress_;
    PortCounters& counters_;
    Forwarding& forwarding_;
    Released& released_;
};

// `flatten` puts the whole journey into one function: calls between its short steps cost as much
// as the steps.
[[gnu::flatten]] void Switch::receive(PortIndex input, std::span<Frame> burst, Nanos now,
                                      Released& released) {
    pool_.refresh(worker_of_[input]);
    Intake(*this, input, now, released).take(burst);
}

// --- across ---

std::size_t Switch::match() { return crossbar_.match(); }

[[gnu::flatten]] void Switch::transfer(WorkerIndex worker) {
    for_each_port(ports_of(worker), [&](PortIndex input) {
        const auto grant = crossbar_.grant_of(input);
        if (!grant) return;
        std::size_t frames = 0;
        if (worker_of_[grant->output] == worker) {
            std::array<Frame, max_transfer> moved;
            frames = move(worker, input, *grant, moved);
            deliver(grant->output, std::span(moved).first(frames), 1);
        } else {
            frames = move(worker, input, *grant, crossbar_.mailbox(grant->output));
            crossbar_.post(grant->output, frames);
        }
        crossbar_.executed(input, frames);
    });
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

void Switch::deliver(PortIndex output, std::span<const Frame> frames, uint32_t grants) {
    Egress& egress = *egress_[output];
    egress.push(frames);
    crossbar_.offer(output, egress.room(), grants);
}

// --- out ---

[[gnu::flatten]] std::size_t Switch::transmit(PortIndex output, std::span<Frame> burst, Nanos now) {
    if (const auto posted = crossbar_.collect(output)) {
        deliver(output, *posted, 1);
        crossbar_.collected(output);
    }
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
    crossbar_.offer(output, egress_[output]->room(), 0);
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
        egress_[port]->weigh(depths);
    }
    ingress_[port]->press(triggers, [&](PortIndex output) { return egress_[output]->congested(); });
}

// --- housekeeping ---

void Switch::tend(WorkerIndex worker, Nanos now, Released& released) {
    if (worker == 0) forwarding_.tend(links(), now);
    const PortSet down = first_ports(port_count()) & ~links();
    if (down != 0) flush(worker, {down, 0xFF, Drop::egress_down}, released);
    if constexpr (!with_pfc) return;
    // Whoever pauses everybody receives nothing, and still has to see the pool come back.
    pool_.refresh(worker);
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
    for_each_port(ports_of(worker), [&](PortIndex port) { ingress_[port]->xoff().resume_all(); });
}

bool Switch::owes_peers(WorkerIndex worker) const {
    bool owes = false;
    for_each_port(ports_of(worker) & links(),
                  [&](PortIndex port) { owes |= std::as_const(*ingress_[port]).xoff().owes(); });
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
    for_each_port(ports_of(worker), [&](PortIndex port) {
        Ingress& ingress = *ingress_[port];
        const std::size_t count = ingress.flush(what.outputs, what.priorities, room());
        for (const Frame& frame : let_go(counters_[port]->drops, count)) {
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
        crossbar_.offer(port, egress.room(), 0);
    });
    return released.room() == 0;
}

void Switch::adopt(WorkerIndex worker, const Settings& settings) {
    if (worker == 0) {
        crossbar_.configure(settings.fabric);
        pool_.resize(shared_size(settings));
    }
    forwarding_.adopt(worker, settings);
    Desk& desk = desks_[worker];
    desk.marker.configure(settings.ports);
    desk.next_look = Nanos(0);
    desk.triggers = 0;
    for (PortIndex port = 0; port < settings.ports.size(); ++port) {
        const PfcSettings& pfc = settings.ports[port].pfc;
        const bool decides = pfc.trigger == PauseTrigger::egress && pfc.lossless != 0;
        if (decides) desk.triggers |= only(port);
    }
    for_each_port(desk.ports, [&](PortIndex port) {
        ingress_[port]->configure(settings);
        egress_[port]->configure(settings.ports[port], settings.fabric.quantum);
        crossbar_.offer(port, egress_[port]->room(), 0);
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

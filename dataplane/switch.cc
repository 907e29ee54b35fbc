#include "dataplane/switch.h"

#include <algorithm>
#include <bit>

#include "dataplane/buffer/dynamic_threshold.h"

namespace sluice {
namespace {

constexpr uint16_t lldp_ether_type = 0x88CC;
constexpr std::size_t shortest_charge = 14;  // octets of the shortest frame that parse lets by

PortIndex first_of(PortSet ports) { return static_cast<PortIndex>(std::countr_zero(ports)); }

template <class Visit>
void for_each_port(PortSet ports, Visit visit) {
    for (; ports != 0; ports &= ports - 1) visit(first_of(ports));
}

// The most frames that can wait in VOQs: a full buffer of the shortest ones, and what several
// workers may overdraw in one burst of floods each.
std::size_t most_frames(const Settings& settings) {
    const auto cell = static_cast<std::size_t>(settings.buffer.cell.count());
    const auto size = static_cast<std::size_t>(settings.buffer.size.count());
    return size / std::max(cell, shortest_charge) +
           settings.workers * max_burst * settings.ports.size();
}

}  // namespace

Switch::Switch(const Settings& settings)
    : pool_(shared_size(settings), settings.buffer.cell, settings.workers),
      forwarding_(settings),
      crossbar_(settings.fabric, settings.ports.size(), settings.workers) {
    const std::size_t ports = settings.ports.size();
    for (PortIndex port = 0; port < ports; ++port) {
        worker_of_.push_back(settings.ports[port].worker);
        ports_of_[worker_of_[port]] |= only(port);
    }
    for (WorkerIndex worker = 0; worker < settings.workers; ++worker) {
        const auto voqs =
            static_cast<std::size_t>(std::popcount(ports_of_[worker])) * ports * max_priorities;
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
          now_(now),
          ingress_(*self.ingress_[input]),
          gate_(self.egress_[input]->gate()),
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
        const auto pause = read_pause_frame(octets);
        if (!pause) return Drop::bad_mac_control;
        gate_.hear(*pause, now_);
        return Drop::mac_control;
    }

    // One copy an output, all of the same buffer.
    void enqueue(const Frame& frame, PortSet outputs) {
        if (std::has_single_bit(outputs)) {
            const Drop why = ingress_.admit(frame, first_of(outputs));
            if (why == Drop::none) return;
            counters_.drops.count(why);
            released_.free(frame.handle);
        } else {
            flood(frame, outputs);
        }
    }
    [[gnu::noinline]] void flood(const Frame& frame, PortSet outputs) {
        uint16_t queued = 0;
        for_each_port(outputs, [&](PortIndex output) {
            const Drop why = ingress_.admit(frame, output);
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
    Nanos now_;
    Ingress& ingress_;
    PauseGate& gate_;
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
    for_each_port(ports_of_[worker], [&](PortIndex input) {
        const auto grant = crossbar_.grant_of(input);
        if (!grant) return;
        std::size_t frames = 0;
        if (worker_of_[grant->output] == worker) {
            std::array<Frame, max_transfer> moved;
            frames = ingress_[input]->move(*grant, moved);
            deliver(grant->output, std::span(moved).first(frames), 1);
        } else {
            frames = ingress_[input]->move(*grant, crossbar_.mailbox(grant->output));
            crossbar_.post(grant->output, frames);
        }
        crossbar_.executed(input, frames);
    });
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

// --- housekeeping ---

void Switch::tend(WorkerIndex worker, Nanos now, Released& released) {
    if (worker == 0) forwarding_.tend(links(), now);
    const PortSet down = first_ports(port_count()) & ~links();
    if (down != 0) flush(worker, down, Drop::egress_down, released);
}

void Switch::release_peers(WorkerIndex worker) {
    for_each_port(ports_of_[worker], [&](PortIndex port) { ingress_[port]->xoff().resume_all(); });
}

bool Switch::flush(WorkerIndex worker, Released& released) {
    return flush(worker, first_ports(port_count()), Drop::shutdown, released);
}

bool Switch::flush(WorkerIndex worker, PortSet outputs, Drop reason, Released& released) {
    std::array<Frame, Released::capacity> frames;
    const auto let_go = [&](DropCounters& drops, std::size_t count) {
        for (const Frame& frame : std::span(frames).first(count)) released.free(frame.handle);
        if (count > 0) drops.count(reason, count);
    };
    for_each_port(ports_of_[worker], [&](PortIndex port) {
        let_go(counters_[port]->drops,
               ingress_[port]->flush(outputs, std::span(frames).first(released.room())));
    });
    for_each_port(ports_of_[worker] & outputs, [&](PortIndex port) {
        if (egress_[port]->empty()) return;
        let_go(counters_[port]->egress_drops,
               egress_[port]->take_any(std::span(frames).first(released.room())));
        crossbar_.offer(port, egress_[port]->room(), 0);
    });
    return released.room() == 0;
}

void Switch::adopt(WorkerIndex worker, const Settings& settings) {
    if (worker == 0) {
        crossbar_.configure(settings.fabric);
        pool_.resize(shared_size(settings));
    }
    forwarding_.adopt(worker, settings);
    for_each_port(ports_of_[worker], [&](PortIndex port) {
        ingress_[port]->configure(settings);
        egress_[port]->configure(settings.ports[port], settings.fabric.quantum);
        crossbar_.offer(port, egress_[port]->room(), 0);
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

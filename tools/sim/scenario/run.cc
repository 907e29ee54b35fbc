#include "tools/sim/scenario/run.h"

#include <algorithm>
#include <memory>

#include "tools/common/histogram.h"
#include "tools/sim/network/host.h"
#include "tools/sim/network/switch_node.h"
#include "tools/sim/scenario/classified.h"
#include "tools/sim/scenario/convergence.h"
#include "tools/sim/scenario/flow_control.h"
#include "tools/sim/scenario/memory.h"
#include "tools/sim/scenario/traffic.h"

namespace sluice::sim {

namespace {

constexpr int slices = 200;  // number of slices of a run; progress is reported after each
constexpr uint64_t events_unwatched = 65'536;
constexpr uint16_t longest_pause = 0xFFFF;

// Counters of a flow while it runs.
struct Tally {
    FlowResult result;
    Histogram delays;
    Picos delay;
    Picos longest;
    Picos wait;
    Bytes in_time;
    Bytes taken_in_time;
    Bytes left;  // octets that left the flow's senders in the measured time
};

// Pauses a priority for a time: sends pause frames repeatedly, as a peer refreshes its pause, and
// then XON. With credit, withholds credit instead.
class Holder : public Actor {
  public:
    Holder(Network& network, Host& host, BitsPerSecond speed, const Hold& hold)
        : network_(network),
          host_(host),
          hold_(hold),
          again_(picos(pause_time(Quanta(longest_pause), speed) / 2)) {
        network.look_at(picos(hold.at), *this);
    }
    void look() override {
        const Picos ends = picos(hold_.at + hold_.lasts);
        const bool over = network_.now() >= ends;
        if (host_.keep_credit(hold_.priority, !over)) {
            if (!over) network_.look_at(ends, *this);
            return;
        }
        host_.send_pause(hold_.priority, over ? uint16_t{0} : longest_pause);
        if (!over) network_.look_at(std::min(ends, network_.now() + again_), *this);
    }

  private:
    Network& network_;
    Host& host_;
    Hold hold_;
    Picos again_;
};

class Run {
  public:
    Run(const NetworkScenario& scenario, Recording recording, const Asking& should_end)
        : scenario_(scenario),
          should_end_(should_end),
          from_(picos(scenario.run.warmup)),
          until_(picos(scenario.run.time)),
          has_stages_(std::ranges::any_of(
              scenario.hosts, [](const HostSpec& host) { return host.tx_latency > Nanos(0); })),
          tallies_(scenario.flows.size()),
          convergence_(scenario),
          memory_(memory_at_start(scenario)) {
        for (std::size_t n = 0; n < scenario.flows.size(); ++n) {
            if (scenario.flows[n].flow.again) tallies_[n].result.recovery.emplace();
        }
        for (const SwitchSpec& spec : scenario.switches) {
            nodes_.push_back(std::make_unique<SwitchNode>(network_, spec.settings, spec.timing,
                                                          built(spec, recording)));
            nodes_.back()->on_drop = [this](const Packet& packet) {
                if (counts(packet)) ++tallies_[packet.row].result.lost;
            };
        }
        for (std::size_t n = 0; n < scenario.hosts.size(); ++n) add_host(n);
        for (const LinkSpec& link : scenario.links) {
            connect(port_at(link.from), port_at(link.to), link.cable);
            if (link.cable.flow_control == FlowControl::credit) add_credit(link);
        }
        traffic_ = std::make_unique<Traffic>(network_, scenario, hosts_);
        if (recording == Recording::off) return;
        recorder_.emplace(scenario);
        watch_ports();
        memory_ += recorder_->memory();
    }

    NetworkResult run(const OnProgress& on_progress) {
        for (const auto& host : hosts_) host->look();
        for (int slice = 1; slice <= slices && !stopped_; ++slice) {
            pass_until(slice == slices ? until_ : Picos(until_.count() / slices * slice));
            if (on_progress)
                on_progress({nanos(network_.now()), scenario_.run.time, network_.events()});
        }
        until_ = network_.now();
        if (!stopped_) drain();
        return result();
    }

  private:
    // Returns `at_once` if the run is recorded, or if the switch sends before a frame arrives: it
    // then probes for a pause relay.
    static Built built(const SwitchSpec& spec, Recording recording) {
        const bool probes = std::ranges::any_of(spec.settings.ports, [](const PortSettings& port) {
            return port.pfc.relay.to != no_relay;
        });
        return probes || recording == Recording::on ? Built::at_once : Built::by_first_frame;
    }
    void pass_until(Picos end) {
        for (Picos next; next < end;) {
            next = std::min(end, convergence_.due());
            if (recorder_) next = std::min(next, recorder_->due());
            while (!network_.run_some(next, events_unwatched)) {
                if (must_end()) return;
            }
            if (must_end()) return;
            if (recorder_ && recorder_->due() == next) recorder_->sample();
            if (convergence_.due() == next) convergence_.look(*traffic_);
        }
    }
    void drain() {
        for (const auto& host : hosts_) host->set_rate(BitsPerSecond(0));
        network_.run_until([this] { return network_.packets().out() == 0 || must_end(); },
                           scenario_.run.drain);
    }
    bool must_end() {
        using Why = Stopped::Why;
        const Bytes taken = memory_ + network_.memory() + traffic_->memory();
        const bool too_much = taken > scenario_.run.memory;
        if (too_much || (should_end_ && should_end_())) {
            stopped_ = {too_much ? Why::out_of_memory : Why::interrupted, nanos(network_.now())};
        }
        return stopped_.has_value();
    }
    void watch_ports() {
        for (const HostSpec& host : scenario_.hosts) watch(host.at, host.name);
        for (const LinkSpec& link : scenario_.links) {
            watch(link.from, scenario_.switches[link.to.node].name);
            watch(link.to, scenario_.switches[link.from.node].name);
        }
    }
    void watch(const Place& place, const std::string& peer) {
        recorder_->watch(place, *nodes_[place.node], peer);
    }

    Port& port_at(const Place& place) { return nodes_[place.node]->port(place.port); }

    void add_host(std::size_t n) {
        const HostSpec& spec = scenario_.hosts[n];
        hosts_.push_back(std::make_unique<Host>(network_, source_of(n), spec.cable.speed));
        Host& host = *hosts_.back();
        host.sender.set_response(spec.response);
        host.sender.set_obeys(spec.obeys);
        host.set_framing(framing_of(n), spec.ack_priority);
        host.set_csig(scenario_.switches[spec.at.node].settings.csig);
        host.set_stages({picos(spec.tx_latency), picos(spec.rx_latency)});
        host.on_sent = [this](const Packet& packet) {
            if (!counts(packet)) return;
            Tally& tally = tallies_[packet.row];
            ++tally.result.sent;
            tally.left += Bytes(packet.length) + fcs;
            if (packet.again) ++tally.result.recovery->retransmitted;
        };
        host.on_arrival = [this, n](const Packet& packet) { arrived(packet, n); };
        host.on_refused = [this](const Packet& packet) {
            last_arrival_ = network_.now();
            count_arrival(packet);
            if (counts(packet)) ++tallies_[packet.row].result.recovery->refused;
        };
        host.on_trimmed = [this](const Packet& packet) {
            last_arrival_ = network_.now();
            count_arrival(packet);
            if (counts(packet)) ++tallies_[packet.row].result.recovery->trimmed;
        };
        host.on_lost = [this](const Packet& packet) {
            if (counts(packet)) ++tallies_[packet.row].result.lost;
        };
        if (spec.receive.rate.count() > 0) host.set_receive(spec.receive);
        host.on_notice = [this](uint16_t row) {
            if (row != no_row) ++tallies_[row].result.notified;
        };
        host.on_merged = [this](uint16_t row) {
            if (row != no_row) ++tallies_[row].result.merged;
        };
        if (spec.rate_control == RateLimit::dcqcn) {
            host.set_notices({spec.dcqcn.cnp_interval, spec.dcqcn.cnp_priority});
            if (spec.dcqcn.merge > Nanos(0)) host.merge_notices(spec.dcqcn.merge);
        }
        if (spec.rate_control == RateLimit::explicit_rate) {
            const bool all_at_once = spec.receive.rate.count() == 0;
            const BitsPerSecond taken = all_at_once ? spec.cable.speed : spec.receive.rate;
            host.set_advisor(spec.explicit_rate, std::min(taken, spec.cable.speed));
        }
        connect(host, port_at(spec.at), spec.cable);
        if (spec.cable.flow_control == FlowControl::credit) add_credit(host, spec);
        for (const Hold& hold : spec.holds) {
            holders_.push_back(std::make_unique<Holder>(network_, host, spec.cable.speed, hold));
        }
    }

    [[nodiscard]] Host::Framing framing_of(std::size_t n) const {
        const auto& [node, port] = scenario_.hosts[n].at;
        Host::Framing framing{.format = scenario_.format};
        for (uint8_t pcp = 0; pcp < max_priorities; ++pcp) {
            framing.priority_of[pcp] =
                classified(scenario_.switches[node].settings.ports[port],
                           answer_header(scenario_.format, source_of(n), pcp));
        }
        return framing;
    }

    CreditLine* line(Port& sender, const Cable& cable, const CreditTerms& terms) {
        const uint64_t seed = (scenario_.run.seed << 16) + lines_.size();
        lines_.push_back(std::make_unique<CreditLine>(network_, sender, cable, terms, seed));
        return lines_.back().get();
    }
    void add_credit(Host& host, const HostSpec& spec) {
        const auto& [node, port] = spec.at;
        const SwitchSpec& there = scenario_.switches[node];
        CreditLine* up = line(host, spec.cable, terms_into_port(there, port, spec.cable));
        CreditLine* down = line(nodes_[node]->port(port), spec.cable, terms_into_host(there, spec));
        host.set_credit({.spends = up, .gives = down});
        nodes_[node]->set_credit(port, {.spends = down, .gives = up});
    }
    void add_credit(const LinkSpec& link) {
        const auto into = [&](const Place& place) {
            return terms_into_port(scenario_.switches[place.node], place.port, link.cable);
        };
        CreditLine* there = line(port_at(link.from), link.cable, into(link.to));
        CreditLine* back = line(port_at(link.to), link.cable, into(link.from));
        nodes_[link.from.node]->set_credit(link.from.port, {.spends = there, .gives = back});
        nodes_[link.to.node]->set_credit(link.to.port, {.spends = back, .gives = there});
    }

    [[nodiscard]] bool counts(const Packet& packet) const {
        return packet.row != no_row && packet.begun >= from_;
    }
    void arrived(const Packet& packet, std::size_t host) {
        if (packet.row == no_row) return;
        last_arrival_ = network_.now();
        traffic_->arrived(packet, host, last_arrival_);
        Tally& tally = tallies_[packet.row];
        if (count_arrival(packet)) tally.taken_in_time += Bytes(packet.length) + fcs;
        if (!counts(packet)) return;
        ++tally.result.received;
        Picos delay = last_arrival_ - packet.begun;
        if (has_stages_ && !packet.again) delay += transmit_latency_of(packet);
        tally.delay += delay;
        tally.longest = std::max(tally.longest, delay);
        tally.wait += packet.begun - packet.due;
        tally.delays.record(static_cast<uint64_t>(nanos(delay).count()));
        if (is_marked(packet)) ++tally.result.marked;
    }
    [[nodiscard]] Picos transmit_latency_of(const Packet& packet) const {
        return picos(scenario_.hosts[packet.flow % hosts_.size()].tx_latency);
    }
    // Counts an arrival. Returns whether it is within the measured time.
    bool count_arrival(const Packet& packet) {
        const Bytes octets = Bytes(packet.length) + fcs;
        if (recorder_) recorder_->arrived(packet.row, octets);
        const bool measured = last_arrival_ >= from_ && last_arrival_ <= until_;
        if (measured) tallies_[packet.row].in_time += octets;
        return measured;
    }

    NetworkResult result() {
        NetworkResult all;
        for (std::size_t n = 0; n < tallies_.size(); ++n) {
            all.flows.push_back(flow_result(n));
        }
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            nodes_[n]->look_into([&](const Switch& dataplane) {
                all.nodes.push_back({scenario_.switches[n].name, ledger_of(dataplane)});
                for (PortIndex port = 0; port < scenario_.switches[n].ports.size(); ++port) {
                    all.ports.push_back(port_result(n, port));
                }
            });
        }
        for (std::size_t n = 0; n < hosts_.size(); ++n) {
            const HostSpec& host = scenario_.hosts[n];
            name_peer(all, host.at, host.name);
            if (hosts_[n]->receive_buffer())
                add_receive_buffer(all, host.at, *hosts_[n]->receive_buffer());
        }
        for (const LinkSpec& link : scenario_.links) {
            name_peer(all, link.from, scenario_.switches[link.to.node].name);
            name_peer(all, link.to, scenario_.switches[link.from.node].name);
        }
        for (const auto& host : hosts_) all.disordered += host->sink.disordered();
        all.events = network_.events();
        all.ended = nanos(network_.now());
        all.stopped = stopped_;
        all.stands_still = !stopped_ && network_.packets().out() > 0 && last_arrival_ <= until_;
        if (recorder_) all.series = recorder_->take();
        return all;
    }
    FlowResult flow_result(std::size_t n) {
        Tally& tally = tallies_[n];
        FlowResult result = tally.result;
        result.name = scenario_.flows[n].name;
        uint64_t refused = 0;
        if (result.recovery) refused = result.recovery->refused + result.recovery->trimmed;
        result.waiting = result.sent - result.received - result.lost - refused;
        result.converged = convergence_.carries(n, tally.left);
        const auto per_frame = [&](Picos sum) {
            return result.received == 0 ? 0.0
                                        : static_cast<double>(sum.count()) / 1000 /
                                              static_cast<double>(result.received);
        };
        result.mean_delay_ns = per_frame(tally.delay);
        result.mean_wait_ns = per_frame(tally.wait);
        result.p50_delay_ns = tally.delays.quantile(0.5);
        result.p99_delay_ns = tally.delays.quantile(0.99);
        result.max_delay_ns = static_cast<double>(tally.longest.count()) / 1000;
        if (recorder_) recorder_->set_delays(n, tally.delays);
        if (const Rounds* rounds = traffic_->rounds(n);
            rounds != nullptr && rounds->finished() > 0) {
            result.rounds = rounds->finished();
            result.mean_round_ns = static_cast<double>(rounds->sum().count()) / 1000 /
                                   static_cast<double>(result.rounds);
            result.max_round_ns = static_cast<double>(rounds->longest().count()) / 1000;
        }
        if (Transfers* transfers = traffic_->transfers(n)) result.slowdown = transfers->slowdowns();
        if (until_ > from_) {
            const auto rate_of = [&](Bytes octets) {
                return static_cast<double>(octets.count()) * 8e12 /
                       static_cast<double>((until_ - from_).count());
            };
            result.throughput = rate_of(tally.in_time);
            if (result.recovery) result.recovery->goodput = rate_of(tally.taken_in_time);
        }
        return result;
    }

    PortResult port_result(std::size_t node, PortIndex port) {
        const SwitchSpec& spec = scenario_.switches[node];
        const Switch& dataplane = nodes_[node]->dataplane();
        const PortCounters& counters = dataplane.counters(port);
        PortResult result;
        result.node = spec.name;
        result.port = spec.ports[port];
        result.rx_frames = counters.rx_frames.value();
        result.tx_frames = counters.tx_frames.value();
        for (std::size_t n = 1; n < drop_reasons; ++n) {
            const auto reason = static_cast<Drop>(n);
            const uint64_t count = counters.drops.of(reason) + counters.egress_drops.of(reason);
            if (count > 0 && reason != Drop::mac_control) result.drops[name_of(reason)] = count;
        }
        const Nanos now = nodes_[node]->now();
        const Ingress& ingress = dataplane.ingress(port);
        const PauseGate& gate = dataplane.egress(port).gate();
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            result.rx_pause += gate.xoffs_received(priority) + gate.relay().pauses(priority);
            result.tx_pause += ingress.pause_sender().xoff_sent(priority);
            result.paused_ns += static_cast<uint64_t>(gate.history(priority).total(now).count());
            result.pausing_ns +=
                static_cast<uint64_t>(ingress.pause_sender().history(priority).total(now).count());
            result.headroom_used_max =
                std::max(result.headroom_used_max, ingress.group(priority).headroom_max());
            for (PortIndex input = 0; input < spec.ports.size(); ++input) {
                result.marked += dataplane.ingress(input).marked({port, priority});
            }
        }
        const PfcSettings& pfc = spec.settings.ports[port].pfc;
        if (pfc.lossless != 0) result.headroom = static_cast<uint64_t>(pfc.headroom.count());
        if (const auto& [spends, gives] = nodes_[node]->credit(port); gives != nullptr) {
            result.credit_returned = static_cast<uint64_t>(gives->returned().count());
            result.credit_buffer = static_cast<uint64_t>(gives->terms().buffer.count());
            result.stalled_ns = static_cast<uint64_t>(nanos(spends->stalled()).count());
            result.stalling_ns = static_cast<uint64_t>(nanos(gives->stalled()).count());
        }
        return result;
    }
    void name_peer(NetworkResult& all, const Place& place, const std::string& peer) const {
        result_at(all, place).peer = peer;
    }
    void add_receive_buffer(NetworkResult& all, const Place& place,
                            const ReceiveBuffer& buffer) const {
        PortResult& result = result_at(all, place);
        result.peer_buffer = static_cast<uint64_t>(buffer.settings().size.count());
        result.peer_held_max = static_cast<uint64_t>(buffer.most().count());
    }
    PortResult& result_at(NetworkResult& all, const Place& place) const {
        const std::string& node = scenario_.switches[place.node].name;
        const std::string& port = scenario_.switches[place.node].ports[place.port];
        return *std::ranges::find_if(all.ports, [&](const PortResult& result) {
            return result.node == node && result.port == port;
        });
    }

    const NetworkScenario& scenario_;
    const Asking& should_end_;
    Picos from_;
    Picos until_;  // time at which hosts stop sending
    bool has_stages_;
    Network network_;
    std::vector<std::unique_ptr<SwitchNode>> nodes_;
    std::vector<std::unique_ptr<Host>> hosts_;
    std::vector<std::unique_ptr<Holder>> holders_;
    std::vector<std::unique_ptr<CreditLine>> lines_;
    std::unique_ptr<Traffic> traffic_;
    std::vector<Tally> tallies_;
    Picos last_arrival_;
    std::optional<Recorder> recorder_;
    Convergence convergence_;
    Bytes memory_;  // all memory except for frames in flight
    std::optional<Stopped> stopped_;
};

}  // namespace

bool NetworkResult::balanced() const {
    return std::ranges::all_of(nodes,
                               [](const NodeResult& node) { return node.ledger.balanced(); });
}

std::optional<bool> NetworkResult::converged() const {
    std::optional<bool> all = true;
    for (const FlowResult& flow : flows) {
        if (flow.converged == false) return false;
        if (!flow.converged) all.reset();
    }
    return all;
}

NetworkResult simulate(const NetworkScenario& scenario, const OnProgress& on_progress,
                       Recording recording, const Asking& should_end) {
    return Run(scenario, recording, should_end).run(on_progress);
}

}  // namespace sluice::sim

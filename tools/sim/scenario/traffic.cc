#include "tools/sim/scenario/traffic.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "tools/sim/network/frame_layout.h"
#include "tools/sim/scenario/classified.h"

namespace sluice::sim {

namespace {

uint64_t frames_of(Bytes message, const FlowSpec& spec) {
    const int64_t carried = spec.carried.count();
    return static_cast<uint64_t>((message.count() + carried - 1) / carried);
}

}  // namespace

Traffic::Traffic(Network& network, const NetworkScenario& scenario,
                 std::span<const std::unique_ptr<Host>> hosts)
    : network_(network),
      scenario_(scenario),
      hosts_(hosts),
      until_(picos(scenario.run.time)),
      rounds_(scenario.flows.size()),
      transfers_(scenario.flows.size()),
      sources_(scenario.flows.size()) {
    for (std::size_t n = 0; n < scenario.flows.size(); ++n) {
        switch (scenario.flows[n].pattern) {
            case Pattern::incast:
                add_incast(n);
                break;
            case Pattern::all_reduce:
                add_all_reduce(n);
                break;
            case Pattern::trace:
                add_trace(n);
                break;
            case Pattern::transfers:
                add_transfers(n);
                break;
            default:
                for (const std::size_t from : scenario.flows[n].from) add_paced(n, from);
        }
    }
}

Bytes Traffic::backlog(std::size_t flow, Picos now) const {
    if (transfers_[flow] != nullptr) return transfers_[flow]->backlog(now);
    Bytes all;
    for (const Place& place : sources_[flow]) {
        all += hosts_[place.host]->sender.source(place.source).backlog(now);
    }
    return all;
}

BitsPerSecond Traffic::rate_of(const FlowSpec& spec, std::size_t from) const {
    return spec.pace.rate.count() > 0 ? spec.pace.rate : scenario_.hosts[from].cable.speed;
}

Flow Traffic::flow_of(std::size_t n, std::size_t from) const {
    const FlowSpec& spec = scenario_.flows[n];
    Flow flow = spec.flow;
    flow.row = static_cast<uint16_t>(n);
    flow.answers_to = address_of(from);
    flow.format = scenario_.format;
    flow.transmit = picos(scenario_.hosts[from].tx_latency);
    set_pcp(flow, from, spec.flow.priority);
    if (scenario_.hosts[from].rate_control == RateLimit::csig) {
        const CsigWindowSettings& csig = scenario_.hosts[from].csig;
        flow.csig = csig_start(csig_of(from), csig.form, csig.signal);
        flow.ip = true;
    }
    return flow;
}

void Traffic::set_pcp(Flow& flow, std::size_t from, uint8_t pcp) const {
    const auto& [node, port] = scenario_.hosts[from].at;
    flow.pcp = pcp;
    flow.priority = classified(scenario_.switches[node].settings.ports[port],
                               header_of({.format = flow.format,
                                          .from = source_of(from),
                                          .pcp = pcp,
                                          .traffic_class = flow.traffic_class,
                                          .tagged = flow.tagged,
                                          .ip = flow.ip || flow.ecn,
                                          .ecn = flow.ecn}));
}

Flow Traffic::messages_of(std::size_t n, std::size_t from) const {
    const FlowSpec& spec = scenario_.flows[n];
    Flow flow = flow_of(n, from);
    flow.messages = MessageSettings{
        .rate = rate_of(spec, from), .carried = spec.carried, .around = spec.around};
    return flow;
}

std::unique_ptr<RateControl> Traffic::control_of(std::size_t host) const {
    const HostSpec& spec = scenario_.hosts[host];
    const BitsPerSecond wire = spec.cable.speed;
    switch (spec.rate_control) {
        case RateLimit::none:
            break;
        case RateLimit::dcqcn:
            return std::make_unique<Dcqcn>(spec.dcqcn, wire);
        case RateLimit::window:
            return std::make_unique<Window>(spec.window);
        case RateLimit::dctcp:
            return std::make_unique<Dctcp>(spec.dctcp);
        case RateLimit::timely:
            return std::make_unique<Timely>(spec.timely, wire);
        case RateLimit::hpcc:
            return std::make_unique<Hpcc>(spec.hpcc, wire);
        case RateLimit::end_to_end_credit:
            return std::make_unique<EndToEndCredit>(spec.end_to_end_credit);
        case RateLimit::pulls:
            return std::make_unique<Pulls>(spec.pulls);
        case RateLimit::explicit_rate:
            return std::make_unique<ExplicitRate>(spec.explicit_rate, wire);
        case RateLimit::csig: {
            const CsigTags tags(csig_of(host));
            const auto type = static_cast<std::size_t>(spec.csig.signal);
            return std::make_unique<CsigWindow>(spec.csig,
                                                tags.settings(spec.csig.form).bands[type]);
        }
    }
    return nullptr;
}

std::size_t Traffic::add(std::size_t n, std::size_t from, const Flow& flow,
                         const std::vector<Target>& targets, uint64_t seed) {
    const std::size_t source = hosts_[from]->sender.add(flow, targets, seed, control_of(from));
    sources_[n].push_back({from, source});
    return source;
}

// Adds the source of a flow at a pace. The number of a target combines the flow and the sender, so
// that the flows that arrive at a receiver have different numbers.
void Traffic::add_paced(std::size_t n, std::size_t from) {
    const FlowSpec& spec = scenario_.flows[n];
    Flow flow = flow_of(n, from);
    flow.pace = spec.pace;
    flow.pace->stop = std::min(spec.pace.stop, until_);
    flow.pace->rate = rate_of(spec, from);
    flow.pace->wire = scenario_.hosts[from].cable.speed;
    flow.pace->slot = Bytes(flow.mix.shortest) - fcs + wire_overhead;
    std::vector<Target> targets;
    for (const std::size_t to : receivers_of(n, from)) {
        targets.push_back({address_of(to), number_of(n, from)});
    }
    if (targets.empty()) return;
    const uint64_t seed = scenario_.run.seed * 0x9E37'79B9 + number_of(n, from);
    if (scenario_.hosts[from].rate_control == RateLimit::none && !flow.again) {
        add(n, from, flow, targets, seed);
        return;
    }
    flow.pace->rate = flow.pace->rate / static_cast<int64_t>(targets.size());
    for (std::size_t turn = 0; turn < targets.size(); ++turn) {
        add(n, from, flow, {targets[turn]}, seed + (turn << 32));
    }
}

std::vector<std::size_t> Traffic::receivers_of(std::size_t n, std::size_t from) const {
    std::vector<std::size_t> receivers;
    for (std::size_t turn = 1; turn <= hosts_.size(); ++turn) {
        const std::size_t to = (from + turn) % hosts_.size();
        if (to == from || !std::ranges::binary_search(scenario_.flows[n].to, to)) continue;
        receivers.push_back(to);
    }
    return receivers;
}

void Traffic::add_incast(std::size_t n) {
    const FlowSpec& spec = scenario_.flows[n];
    uint64_t pairs = 0;
    for (const std::size_t from : spec.from) {
        Flow flow = messages_of(n, from);
        flow.messages->first = Message{.due = spec.pace.start, .left = spec.bytes};
        flow.messages->period = spec.period;
        flow.messages->stop = std::min(spec.pace.stop, until_);
        for (const std::size_t to : spec.to) {
            if (to == from) continue;
            add(n, from, flow, {{address_of(to), number_of(n, from)}});
            ++pairs;
        }
    }
    rounds_[n] =
        std::make_unique<Incast>(spec.pace.start, spec.period, frames_of(spec.bytes, spec), pairs);
}

void Traffic::add_all_reduce(std::size_t n) {
    const FlowSpec& spec = scenario_.flows[n];
    const auto size = static_cast<int64_t>(spec.from.size());
    const Bytes chunk = Bytes((spec.bytes.count() + size - 1) / size);
    std::vector<AllReduce::Member> ring;
    for (std::size_t place = 0; place < spec.from.size(); ++place) {
        const std::size_t from = spec.from[place];
        const std::size_t next = spec.from[(place + 1) % spec.from.size()];
        const std::vector<Target> target = {{address_of(next), number_of(n, from)}};
        ring.push_back({hosts_[from].get(), from, add(n, from, messages_of(n, from), target)});
    }
    rounds_[n] = std::make_unique<AllReduce>(std::move(ring), chunk, frames_of(chunk, spec),
                                             spec.rounds, spec.pace.start);
}

// Adds the messages of a trace. Each priority between two hosts is a flow of its own, since frames
// of different priorities overtake each other.
void Traffic::add_trace(std::size_t n) {
    std::map<std::tuple<std::size_t, std::size_t, Priority>, std::size_t> sources;
    for (const TraceLine& line : scenario_.flows[n].trace) {
        if (picos(line.time) >= until_) break;
        const auto [found, first] = sources.try_emplace({line.from, line.to, line.priority});
        if (first) {
            Flow flow = messages_of(n, line.from);
            set_pcp(flow, line.from, line.priority);
            const uint32_t number =
                number_of(scenario_.flows.size() * line.priority + n, line.from);
            found->second = add(n, line.from, flow, {{address_of(line.to), number}});
        }
        Source& source = hosts_[line.from]->sender.source(found->second);
        source.post({.due = picos(line.time), .left = line.bytes});
    }
}

// Adds random transfers. Their flow numbers follow those of all other flows.
void Traffic::add_transfers(std::size_t n) {
    const FlowSpec& spec = scenario_.flows[n];
    auto transfers = std::make_unique<Transfers>(
        network_, scenario_,
        Transfers::Terms{
            .spec = spec,
            .measured_from = picos(scenario_.run.warmup),
            .until = until_,
            .first_number = static_cast<uint32_t>(scenario_.flows.size() * max_priorities),
            .hosts = hosts_.size(),
            .seed = scenario_.run.seed * 0x9E37'79B9 + (n << 32)});
    for (const std::size_t from : spec.from) {
        std::vector<std::size_t> receivers = receivers_of(n, from);
        if (receivers.empty()) continue;
        Flow flow = messages_of(n, from);
        flow.messages->rate = scenario_.hosts[from].cable.speed;
        transfers->add_sender(*hosts_[from], from, flow, std::move(receivers),
                              [this, from] { return control_of(from); });
    }
    transfers_[n] = transfers.get();
    rounds_[n] = std::move(transfers);
}

Bytes Traffic::memory() const {
    std::size_t sum = 0;
    for (const Transfers* transfers : transfers_) {
        if (transfers != nullptr) sum += transfers->memory();
    }
    return Bytes(static_cast<int64_t>(sum));
}

}  // namespace sluice::sim

#include "tools/sim/scenario/empty_path.h"

#include <algorithm>

#include "tools/sim/network/packet.h"
#include "tools/sim/network/source.h"
#include "tools/sim/network/switch_node.h"

namespace sluice::sim {

EmptyPath::EmptyPath(const NetworkScenario& scenario)
    : scenario_(scenario),
      ports_(scenario.switches.size(), std::vector<PortIndex>(scenario.hosts.size())),
      next_(scenario.switches.size(), std::vector<Next>(max_ports)),
      fastest_(scenario.switches.size()) {
    for (std::size_t node = 0; node < scenario.switches.size(); ++node) {
        for (const StaticEntry& entry : scenario.switches[node].settings.fdb.static_entries) {
            ports_[node][host_of(entry.address)] = entry.port;
        }
    }
    const auto plugged = [&](const Place& place, const Cable& cable) {
        fastest_[place.node] = std::max(fastest_[place.node], cable.speed);
    };
    for (const HostSpec& host : scenario.hosts) plugged(host.at, host.cable);
    for (const LinkSpec& link : scenario.links) {
        plugged(link.from, link.cable);
        plugged(link.to, link.cable);
        next_[link.from.node][link.from.port] = {link.to, link.cable};
        next_[link.to.node][link.to.port] = {link.from, link.cable};
    }
}

EmptyPath::Stage EmptyPath::into(const Place& place, const Cable& cable) const {
    const SwitchSpec& spec = scenario_.switches[place.node];
    return {
        .cable = cable,
        .cuts = spec.timing.forwarding == Forwarding::cut_through &&
                fastest_[place.node] <= cable.speed,
        .decides_by = SwitchNode::header_for(spec.settings.ports[place.port], spec.settings.csig),
        .latency = picos(spec.timing.latency)};
}

EmptyPath::Stages EmptyPath::stages(std::size_t from, std::size_t to) const {
    const HostSpec& sender = scenario_.hosts[from];
    const HostSpec& receiver = scenario_.hosts[to];
    Stages all = {into(sender.at, sender.cable)};
    const auto crossbar = [&](std::size_t node) {
        return picos(scenario_.switches[node].timing.crossbar);
    };
    for (std::size_t node = sender.at.node; node != receiver.at.node;) {
        const Next& next = next_[node][ports_[node][to]];
        all.push_back(into(next.to, next.cable));
        all.back().crossbar = crossbar(node);
        node = next.to.node;
    }
    all.push_back({.cable = receiver.cable, .crossbar = crossbar(receiver.at.node)});
    return all;
}

Picos EmptyPath::Stage::taken(Picos begin, Bytes on_wire) const {
    const Bytes whole = on_wire - gap;
    const Bytes needed = cuts ? std::min(whole, decides_by) : whole;
    return begin + crossbar + cable.time_of(needed) + cable.delay() + latency;
}

Picos EmptyPath::time(std::size_t from, std::size_t to, Bytes message, Bytes carried,
                      Bytes around) const {
    const Stages way = stages(from, to);
    const auto on_wire = [&](Bytes part) {
        return on_wire_of(std::max(Source::shortest_frame, part + around));
    };
    const int64_t before = (message.count() - 1) / carried.count();  // frames before the last one
    const Bytes full = on_wire(carried);
    const Bytes last = on_wire(message - carried * before);
    // Times at which the first and the last frame begin on the next cable.
    Picos first_begins = picos(scenario_.hosts[from].tx_latency);
    Picos last_begins = first_begins;
    Picos slowest;  // longest time of a full frame on the cables until here: the distance of frames
    for (const Stage& stage : way) {
        if (before > 0) {
            slowest = std::max(slowest, stage.cable.time_of(full));
            last_begins = std::max(
                last_begins, first_begins + slowest * (before - 1) + stage.cable.time_of(full));
            first_begins = stage.taken(first_begins, full);
        }
        last_begins = stage.taken(last_begins, last);
    }
    return last_begins + picos(scenario_.hosts[to].rx_latency);
}

}  // namespace sluice::sim

#include "tools/sim/scenario/layout_reader.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "tools/sim/scenario/scenario_keys.h"

namespace sluice::sim {

using config::Node;

LayoutReader::LayoutReader(Fields& file) : file_(file) {
    Fields cable = file_.map("cable", keys::cable);
    cable_ = cable_of(cable, {});
}

Layout LayoutReader::read() {
    Fields topology = file_.map("topology", keys::topology);
    hosts_known_ = topology.written() || !file_.has("topology");
    if (!topology.written()) {
        read_switches();
        read_hosts();
        read_links();
        return std::move(layout_);
    }
    if (topology.node()->keys.size() != 1) {
        file_.fault("topology", "is not one of them",
                    "write star, chain, ring, leaf_spine or fat_tree");
        hosts_known_ = false;
        return std::move(layout_);
    }
    for (const char* key : {"switches", "hosts", "links"}) {
        if (!file_.has(key)) continue;
        file_.fault(key, "stands beside a topology", "keep one of the two");
    }
    const auto trunk_of = [this](Fields& tree) {
        Fields trunk = tree.map("trunk", keys::cable);
        return cable_of(trunk, cable_);
    };
    hosts_known_ = topology.clean() && layout_.make_topology(topology, cable_, trunk_of);
    return std::move(layout_);
}

// Reads a cable. Takes properties that are not in the file from `otherwise`.
Cable LayoutReader::cable_of(Fields& fields, std::optional<Cable> otherwise) {
    Cable cable = otherwise.value_or(Cable{});
    if (!otherwise || fields.has("speed")) cable.speed = BitsPerSecond(fields.number("speed"));
    if (!otherwise || fields.has("length")) cable.millimetres = fields.number("length");
    if (!otherwise || fields.has("flow_control")) {
        cable.flow_control = static_cast<FlowControl>(fields.number("flow_control"));
    }
    Fields credit = fields.map("credit", keys::credit);
    if (otherwise && credit.written() && cable.flow_control != FlowControl::credit) {
        fields.fault("credit", "is only valid with flow_control: credit",
                     "write that, or remove it");
    }
    if (credit.has("buffer")) cable.credit_buffer = Bytes(credit.number("buffer"));
    if (credit.has("quantum")) cable.credit_pace.quantum = Bytes(credit.number("quantum"));
    if (credit.has("refresh")) cable.credit_pace.refresh = Nanos(credit.number("refresh"));
    if (credit.has("lost")) {
        cable.credit_lost_65536 = static_cast<uint32_t>(credit.number("lost"));
    }
    if (8'000'000'000'000 % cable.speed.count() != 0) {
        fields.fault("speed", "the time of an octet is no whole number of picoseconds",
                     "write one such as 1G, 10G, 25G, 40G, 50G, 100G, 200G, 400G or 800G");
    }
    return cable;
}

void LayoutReader::read_switches() {
    if (!file_.has("switches") && file_.written() && !file_.has("topology")) {
        file_.fault("switches", "is missing", "write a list of switches, or a topology");
        hosts_known_ = false;
    }
    for (Fields& fields : file_.maps("switches", keys::switches)) {
        SwitchDraft draft{.name = fields.text("name"), .own = fields};
        if (!nodes_.emplace(draft.name, layout_.switches.size()).second) {
            fields.fault("name", fmt::format("{} is taken", draft.name), "choose another");
        }
        if (const Node* ports = fields.find("ports")) count_ports(fields, *ports, draft);
        layout_.switches.push_back(std::move(draft));
    }
}

void LayoutReader::count_ports(Fields& fields, const Node& ports, SwitchDraft& draft) {
    std::size_t count = ports.items.size();
    if (ports.kind == Node::Kind::scalar) {
        char* end = nullptr;
        const unsigned long number = std::strtoul(ports.text.c_str(), &end, 10);
        count = *end == '\0' && number <= max_ports ? number : 0;
    }
    if (count >= 1 && count <= max_ports && ports.kind != Node::Kind::map) {
        draft.counted = true;
        draft.ports.resize(count);
    } else if (ports.kind != Node::Kind::unusable) {
        fields.fault("ports", "is no number of ports, and no list of them",
                     fmt::format("write 1 to {}, or a list of ports", max_ports));
    }
}

std::optional<std::size_t> LayoutReader::node_named(Fields& fields, std::string_view key,
                                                    const Node& word) {
    const auto found = nodes_.find(word.text);
    if (found != nodes_.end()) return found->second;
    fields.fault_at(word, key, fmt::format("no switch is called {}", config::in_quotes(word.text)),
                    "name one of switches");
    return std::nullopt;
}

// Connects the cable to the switch. Returns the port; after a fault, port 0.
Place LayoutReader::plug(Fields& fields, std::string_view key, std::size_t node, const Cable& cable,
                         std::optional<PortIndex> wanted) {
    SwitchDraft& there = layout_.switches[node];
    const auto port = there.plug(cable, wanted);
    if (!port && wanted) {
        fields.fault(key,
                     fmt::format("port {} of {} is in use, or does not exist", *wanted, there.name),
                     "choose another");
    } else if (!port) {
        fields.fault(key, fmt::format("{} has no free port", there.name),
                     fmt::format("give it more, at most {}", max_ports));
    }
    return {node, port.value_or(0)};
}

void LayoutReader::read_hosts() {
    std::vector<Fields> all = file_.maps("hosts", keys::hosts);
    layout_.hosts.resize(all.size());
    std::map<std::string, std::size_t, std::less<>> names;
    // Hosts that choose a port get it before the others.
    for (const bool choosing : {true, false}) {
        for (std::size_t n = 0; n < all.size(); ++n) {
            Fields& fields = all[n];
            if (fields.has("port") != choosing) continue;
            HostSpec& host = layout_.hosts[n];
            host.name = fields.text("name");
            host.cable = cable_of(fields, cable_);
            if (!names.emplace(host.name, n).second) {
                fields.fault("name", fmt::format("{} is taken", host.name), "choose another");
            }
            if (host.name == "all") {
                fields.fault("name", "all means every host in from and to", "choose another");
            }
            const Node* word = fields.find("switch");
            if (fields.text("switch").empty() || word == nullptr) continue;
            std::optional<PortIndex> port;
            if (choosing) port = static_cast<PortIndex>(fields.number("port"));
            if (const auto node = node_named(fields, "switch", *word)) {
                host.at = plug(fields, choosing ? "port" : "switch", *node, host.cable, port);
            }
        }
    }
}

void LayoutReader::read_links() {
    for (Fields& fields : file_.maps("links", keys::links)) {
        const std::vector<Node> ends = fields.words("between");
        const Cable cable = cable_of(fields, cable_);
        const bool one_way = fields.yes("one_way");
        if (ends.size() != 2) {
            if (fields.has("between")) {
                fields.fault("between", "is not two switches", "write [one, another]");
            }
            continue;
        }
        const auto from = node_named(fields, "between", ends[0]);
        const auto to = node_named(fields, "between", ends[1]);
        if (!from || !to) continue;
        if (*from == *to) {
            fields.fault("between", "is one switch twice", "write [one, another]");
            continue;
        }
        const auto ports = two_ports(fields, "ports");
        layout_.links.push_back({plug(fields, "between", *from, cable, ports[0]),
                                 plug(fields, "between", *to, cable, ports[1]), cable, one_way});
    }
}

std::array<std::optional<PortIndex>, 2> two_ports(Fields& fields, std::string_view key) {
    if (!fields.has(key)) return {};
    const std::vector<Node> words = fields.words(key);
    std::array<std::optional<PortIndex>, 2> ports;
    bool right = words.size() == 2;
    for (std::size_t n = 0; right && n < 2; ++n) {
        char* end = nullptr;
        const unsigned long number = std::strtoul(words[n].text.c_str(), &end, 10);
        right = !words[n].text.empty() && *end == '\0' && number < max_ports;
        ports[n] = static_cast<PortIndex>(number);
    }
    if (!right) {
        fields.fault(key, "is not two ports",
                     fmt::format("write two of 0 to {}, as "
                                 "[1, 2]",
                                 max_ports - 1));
        return {};
    }
    return ports;
}

}  // namespace sluice::sim

#include "tools/sim/scenario/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "tools/sim/scenario/scenario_keys.h"

namespace sluice::sim {

std::optional<PortIndex> SwitchDraft::plug(const Cable& cable, std::optional<PortIndex> wanted) {
    std::size_t port = wanted.value_or(0);
    if (!wanted) {
        while (port < ports.size() && ports[port]) ++port;
    }
    if (port >= (counted ? ports.size() : max_ports)) return std::nullopt;
    if (port >= ports.size()) ports.resize(port + 1);
    if (ports[port]) return std::nullopt;
    ports[port] = cable;
    return static_cast<PortIndex>(port);
}

void Layout::add_switches(const std::string& name, std::size_t count, std::size_t with,
                          const Cable& cable) {
    for (std::size_t n = 0; n < count; ++n) {
        switches.push_back({.name = fmt::format("{}{}", name, n), .own = {}});
        for (std::size_t host = 0; host < with; ++host) {
            const auto port = switches.back().plug(cable, {});
            hosts.push_back({.name = fmt::format("h{}", hosts.size()),
                             .at = {switches.size() - 1, *port},
                             .cable = cable});
        }
    }
}

void Layout::link(std::size_t from, std::size_t to, const Cable& cable, bool one_way) {
    const auto there = switches[from].plug(cable, {});
    const auto here = switches[to].plug(cable, {});
    if (there && here) links.push_back({{from, *there}, {to, *here}, cable, one_way});
}

bool Layout::make_topology(Fields& topology, const Cable& cable) {
    const auto count = [](Fields& fields, std::string_view key) {
        return static_cast<std::size_t>(fields.number(key));
    };
    // What is too large is told before anything is built.
    const auto fits = [&](Fields& fields, std::size_t nodes, std::size_t ports) {
        if (nodes <= most_switches && ports <= max_ports) return true;
        topology.fault(fields.path().substr(topology.path().size() + 1),
                       fmt::format("makes {} switches of {} ports", nodes, ports),
                       fmt::format("at the most {} of {}", most_switches, max_ports));
        return false;
    };
    if (topology.has("star")) {
        Fields star = topology.map("star", keys::star);
        add_switches("s", 1, count(star, "hosts"), cable);
        return star.clean();
    }
    if (topology.has("leaf_spine")) {
        Fields tree = topology.map("leaf_spine", keys::leaf_spine);
        const std::size_t leaves = count(tree, "leaves");
        const std::size_t spines = count(tree, "spines");
        const std::size_t with = count(tree, "hosts");
        if (!fits(tree, leaves + spines, std::max(with + spines, leaves))) return false;
        add_switches("leaf", leaves, with, cable);
        add_switches("spine", spines, 0, cable);
        for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
            for (std::size_t spine = 0; spine < spines; ++spine) {
                link(leaf, leaves + spine, cable, false);
            }
        }
        return tree.clean();
    }
    const bool round = topology.has("ring");
    Fields line = round ? topology.map("ring", keys::ring) : topology.map("chain", keys::chain);
    const std::size_t nodes = count(line, "switches");
    const std::size_t with = count(line, "hosts");
    if (!fits(line, nodes, with + 2)) return false;
    const bool one_way = round && line.yes("one_way");
    add_switches("s", nodes, with, cable);
    for (std::size_t n = 0; n + 1 < nodes; ++n) link(n, n + 1, cable, one_way);
    if (round && nodes > 2) link(nodes - 1, 0, cable, one_way);
    return line.clean();
}

namespace {

struct Way {
    std::size_t to;
    PortIndex by;
};

// From the switch that the host is at, against the direction in which frames go.
std::vector<int> distances(std::size_t start, const std::vector<std::vector<Way>>& back) {
    std::vector<int> far(back.size(), -1);
    far[start] = 0;
    for (std::deque<std::size_t> next = {start}; !next.empty(); next.pop_front()) {
        const std::size_t node = next.front();
        for (const Way& way : back[node]) {
            if (far[way.to] >= 0) continue;
            far[way.to] = far[node] + 1;
            next.push_back(way.to);
        }
    }
    return far;
}

}  // namespace

std::vector<std::vector<int>> find_ways(NetworkScenario& scenario) {
    std::vector<std::vector<Way>> ahead(scenario.switches.size());
    std::vector<std::vector<Way>> back(scenario.switches.size());
    const auto lead = [&](const Place& from, const Place& to) {
        ahead[from.node].push_back({to.node, from.port});
        back[to.node].push_back({from.node, to.port});
    };
    for (const LinkSpec& link : scenario.links) {
        lead(link.from, link.to);
        if (!link.one_way) lead(link.to, link.from);
    }
    for (auto& ways : ahead) std::ranges::sort(ways, {}, &Way::by);

    std::vector<std::vector<int>> all;
    for (std::size_t host = 0; host < scenario.hosts.size(); ++host) {
        const Place& home = scenario.hosts[host].at;
        const std::vector<int>& far = all.emplace_back(distances(home.node, back));
        for (std::size_t node = 0; node < far.size(); ++node) {
            std::vector<PortIndex> choices;
            for (const Way& way : ahead[node]) {
                if (far[node] > 0 && far[way.to] == far[node] - 1) choices.push_back(way.by);
            }
            if (node == home.node) choices = {home.port};
            if (choices.empty()) continue;
            scenario.switches[node].settings.fdb.static_entries.push_back(
                {.address = address_of(host), .port = choices[host % choices.size()]});
        }
    }
    return all;
}

}  // namespace sluice::sim

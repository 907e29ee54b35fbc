#include "tools/sim/scenario/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <utility>

#include "dataplane/forward/aggregations.h"
#include "dataplane/types/random.h"
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

namespace {

std::size_t count(Fields& fields, std::string_view key) {
    return static_cast<std::size_t>(fields.number(key));
}

// Reports a topology that is too large, before it is built.
bool fits(Fields& topology, const Fields& fields, std::size_t nodes, std::size_t ports) {
    if (nodes <= most_switches && ports <= max_ports) return true;
    topology.fault(fields.path().substr(topology.path().size() + 1),
                   fmt::format("makes {} switches of {} ports", nodes, ports),
                   fmt::format("write at most {} switches of {} ports", most_switches, max_ports));
    return false;
}

}  // namespace

bool Layout::make_leaf_spine(Fields& topology, const Cable& cable, const TrunkOf& trunk_of) {
    Fields tree = topology.map("leaf_spine", keys::leaf_spine);
    const std::size_t leaves = count(tree, "leaves");
    const std::size_t spines = count(tree, "spines");
    const std::size_t with = count(tree, "hosts");
    const Cable trunk = trunk_of(tree);
    if (!fits(topology, tree, leaves + spines, std::max(with + spines, leaves))) return false;
    add_switches("leaf", leaves, with, cable);
    add_switches("spine", spines, 0, cable);
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) {
        for (std::size_t spine = 0; spine < spines; ++spine) {
            link(leaf, leaves + spine, trunk, false);
        }
    }
    return tree.clean();
}

bool Layout::make_fat_tree(Fields& topology, const Cable& cable, const TrunkOf& trunk_of) {
    Fields tree = topology.map("fat_tree", keys::fat_tree);
    const std::size_t pods = count(tree, "pods");
    const std::size_t tors = count(tree, "tors");
    const std::size_t aggs = count(tree, "aggregations");
    const std::size_t cores = count(tree, "cores");
    const std::size_t with = count(tree, "hosts");
    const Cable trunk = trunk_of(tree);
    if (!tree.clean()) return false;
    if (cores % aggs != 0) {
        tree.fault("cores", fmt::format("are no multiple of {} aggregations", aggs),
                   "write as many for each of them");
        return false;
    }
    const std::size_t of_agg = cores / aggs;
    const std::size_t ports = std::max({with + aggs, tors + of_agg, pods});
    if (!fits(topology, tree, pods * (tors + aggs) + cores, ports)) return false;
    add_switches("tor", pods * tors, with, cable);
    add_switches("agg", pods * aggs, 0, cable);
    add_switches("core", cores, 0, cable);
    for (std::size_t pod = 0; pod < pods; ++pod) {
        for (std::size_t agg = 0; agg < aggs; ++agg) {
            const std::size_t here = pods * tors + pod * aggs + agg;
            for (std::size_t tor = 0; tor < tors; ++tor) link(pod * tors + tor, here, trunk, false);
            for (std::size_t core = 0; core < of_agg; ++core) {
                link(here, pods * (tors + aggs) + agg * of_agg + core, trunk, false);
            }
        }
    }
    return true;
}

bool Layout::make_topology(Fields& topology, const Cable& cable, const TrunkOf& trunk_of) {
    if (topology.has("star")) {
        Fields star = topology.map("star", keys::star);
        add_switches("s", 1, count(star, "hosts"), cable);
        return star.clean();
    }
    if (topology.has("leaf_spine")) return make_leaf_spine(topology, cable, trunk_of);
    if (topology.has("fat_tree")) return make_fat_tree(topology, cable, trunk_of);
    const bool round = topology.has("ring");
    Fields line = round ? topology.map("ring", keys::ring) : topology.map("chain", keys::chain);
    const std::size_t nodes = count(line, "switches");
    const std::size_t with = count(line, "hosts");
    if (!fits(topology, line, nodes, with + 2)) return false;
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

// Returns the distance of each switch to the switch `start`, by the links in reverse (`back`); -1
// if no path leads from the switch to `start`.
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

// The ports of each switch on the shortest paths to each host, and the distance of each switch to
// the host's switch.
struct Choices {
    std::vector<std::vector<PortSet>> ports;  // by switch and host
    std::vector<std::vector<int>> far;        // by host and switch
};

Choices choices_of(const NetworkScenario& scenario) {
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
    Choices all{std::vector(scenario.switches.size(), std::vector<PortSet>(scenario.hosts.size())),
                {}};
    for (std::size_t host = 0; host < scenario.hosts.size(); ++host) {
        const Place& home = scenario.hosts[host].at;
        const std::vector<int>& far = all.far.emplace_back(distances(home.node, back));
        for (std::size_t node = 0; node < far.size(); ++node) {
            PortSet& ports = all.ports[node][host];
            for (const Way& way : ahead[node]) {
                if (far[node] > 0 && far[way.to] == far[node] - 1) ports |= only(way.by);
            }
            if (node == home.node) ports = only(home.port);
        }
    }
    return all;
}

// Returns those sets of `of_hosts` that have several ports and share no port with another set.
std::vector<PortSet> apart(const std::vector<PortSet>& of_hosts) {
    std::vector<PortSet> sets(of_hosts);
    std::ranges::sort(sets);
    sets.erase(std::ranges::unique(sets).begin(), sets.end());
    std::vector<PortSet> those;
    for (const PortSet set : sets) {
        const bool alone = std::ranges::all_of(
            sets, [&](PortSet other) { return other == set || (other & set) == 0; });
        if (alone && (set & (set - 1)) != 0) those.push_back(set);
    }
    return those;
}

PortIndex nth_of(PortSet ports, std::size_t n) {
    for (; n > 0; --n) ports &= ports - 1;
    return first_of(ports);
}

}  // namespace

std::vector<std::vector<int>> find_ways(NetworkScenario& scenario, Ways by) {
    Choices choices = choices_of(scenario);
    Random seeds(scenario.run.seed);
    for (std::size_t node = 0; node < scenario.switches.size(); ++node) {
        Settings& settings = scenario.switches[node].settings;
        if (by == Ways::flow) {
            settings.fdb.hash_seed = uint64_t{seeds.next()} << 32;
            settings.fdb.hash_seed |= seeds.next();
            for (const PortSet set : apart(choices.ports[node])) {
                settings.aggregations.push_back({.members = set});
            }
        }
        const Aggregations aggregations(settings.aggregations);
        for (std::size_t host = 0; host < scenario.hosts.size(); ++host) {
            const PortSet ports = choices.ports[node][host];
            if (ports == 0) continue;
            const std::size_t chosen = host % static_cast<std::size_t>(std::popcount(ports));
            settings.fdb.static_entries.push_back(
                {.address = entry_of(host, scenario.format),
                 .port = aggregations.bridge_port(nth_of(ports, chosen))});
        }
        // The only other addresses are those from which the hosts send.
        const std::size_t entries = settings.fdb.static_entries.size();
        settings.fdb.capacity = static_cast<uint32_t>(std::max<std::size_t>(4 * entries, 64));
    }
    return std::move(choices.far);
}

}  // namespace sluice::sim

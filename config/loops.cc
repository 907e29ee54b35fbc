#include "config/loops.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "dataplane/forward/aggregations.h"

namespace sluice::config {

namespace {

// Bridge ports that nothing watches over, and that talk to each other.
PortSet unwatched_ports(const Configuration& configuration, const Aggregations& aggregations) {
    PortSet ports = 0;
    for (PortIndex port = 0; port < configuration.ports.size(); ++port) {
        const PortConfig& about = configuration.ports[port];
        const PortSettings& settings = configuration.settings.ports[port];
        const bool is_one = !about.vacant && !about.tunnel && !settings.isolated &&
                            settings.tagging.aware &&
                            about.loop_guard.action != LoopGuardAction::shut &&
                            aggregations.bridge_port(port) == port;
        if (is_one) ports |= only(port);
    }
    return ports;
}

}  // namespace

std::vector<std::string> advice_on_loops(const Configuration& configuration) {
    if (configuration.spanning_tree.mode != SpanningTreeMode::off) return {};
    const Aggregations aggregations(configuration.settings.aggregations);
    const PortSet unwatched = unwatched_ports(configuration, aggregations);
    PortSet trunks = 0;
    VlanId shared = 0;
    const VlanSettings& vlans = configuration.settings.vlan;
    for (VlanId vlan = 1; vlan < max_vlans; ++vlan) {
        const PortSet tagged = vlans.members[vlan] & ~vlans.untagged[vlan] & unwatched;
        if (std::popcount(tagged) < 2) continue;
        if (shared == 0) shared = vlan;
        trunks |= tagged;
    }
    if (trunks == 0) return {};
    std::vector<std::string> names;
    for_each_port(trunks, [&](PortIndex port) {
        const PortConfig& about = configuration.ports[port];
        names.push_back(about.aggregation.empty() ? about.name : about.aggregation);
    });
    return {fmt::format(
        "trunks {} share VLANs, such as {}: if two of them lead to the same network, frames go "
        "round without end; spanning_tree: {{mode: rstp}} or an aggregation prevents that, and "
        "loop_guard ends it",
        fmt::join(names, ", "), shared)};
}

}  // namespace sluice::config

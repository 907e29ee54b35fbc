#include "config/loops.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <optional>
#include <utility>

#include "dataplane/forward/aggregations.h"

namespace sluice::config {

namespace {

// Returns the bridge ports of one tag type that may exchange frames and have no loop protection. A
// port with customer tags and a port with service tags are in different networks.
PortSet unwatched_ports(const Configuration& configuration, const Aggregations& aggregations,
                        TagType type) {
    PortSet ports = 0;
    for (PortIndex port = 0; port < configuration.ports.size(); ++port) {
        const PortConfig& about = configuration.ports[port];
        const PortSettings& settings = configuration.settings.ports[port];
        const bool is_one = !about.vacant && !about.tunnel && !settings.isolated &&
                            settings.tagging.aware && settings.tagging.type == type &&
                            about.loop_guard.action != LoopGuardAction::shut &&
                            aggregations.bridge_port(port) == port;
        if (is_one) ports |= only(port);
    }
    return ports;
}

std::optional<std::string> advice_on(const Configuration& configuration, PortSet unwatched) {
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
    return fmt::format(
        "trunks {} share VLANs, such as {}: two trunks to the same network make a loop; "
        "spanning_tree: {{mode: rstp}} or an aggregation prevents that, and loop_guard ends it",
        fmt::join(names, ", "), shared);
}

}  // namespace

std::vector<std::string> advice_on_loops(const Configuration& configuration) {
    if (configuration.spanning_tree.mode != SpanningTreeMode::off) return {};
    const Aggregations aggregations(configuration.settings.aggregations);
    std::vector<std::string> advice;
    for (const TagType type : {TagType::customer, TagType::service}) {
        const PortSet unwatched = unwatched_ports(configuration, aggregations, type);
        if (auto line = advice_on(configuration, unwatched)) advice.push_back(std::move(*line));
    }
    return advice;
}

VlanId unwatched_vlan(const Configuration& configuration, PortIndex one, PortIndex other) {
    const Settings& settings = configuration.settings;
    // BPDUs of the neighbour's own spanning tree pass the switch, so the neighbour blocks one of
    // the links.
    if (configuration.spanning_tree.mode != SpanningTreeMode::off ||
        settings.ports[one].forwards_bpdus) {
        return 0;
    }
    const Aggregations aggregations(settings.aggregations);
    if (aggregations.bridge_port(one) == aggregations.bridge_port(other)) return 0;
    if (settings.ports[one].isolated && settings.ports[other].isolated) return 0;
    for (const PortIndex port : {one, other}) {
        const PortConfig& about = configuration.ports[port];
        if (about.vacant || about.tunnel || about.loop_guard.action == LoopGuardAction::shut)
            return 0;
    }
    const VlanSettings& vlans = settings.vlan;
    if (!vlans.filtering) return 1;
    const PortSet both = only(one) | only(other);
    for (VlanId vlan = 1; vlan < max_vlans - 1; ++vlan) {
        if ((vlans.members[vlan] & both) == both) return vlan;
    }
    return 0;
}

}  // namespace sluice::config

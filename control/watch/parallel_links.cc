#include "control/watch/parallel_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "config/loops.h"
#include "control/lldp/text.h"

namespace sluice::control {

namespace {

bool is_bridge(const lldp::Lldpdu& says) {
    return says.capabilities && (says.capabilities->enabled & lldp::bridge_capability) != 0;
}

std::string name_of(const lldp::Lldpdu& says) {
    const std::string chassis = lldp::chassis_text(says.chassis_id);
    const std::string name = lldp::printable(says.system_name.value_or(""));
    return name.empty() ? chassis : fmt::format("{} ({})", name, chassis);
}

// Returns the report about a link of `port` that leads to the same bridge as an earlier port, or to
// that port itself; empty: there is nothing to report.
std::string text_of(const config::Configuration& configuration, std::span<const lldp::Agent> agents,
                    PortIndex port, const std::vector<PortIndex>& earlier,
                    const lldp::Lldpdu& says) {
    const bool own = says.chassis_id == agents[port].settings().local.chassis_id;
    for (const PortIndex other : earlier) {
        if (own && says.port_id != agents[other].settings().local.port_id) continue;
        const VlanId vlan = config::unwatched_vlan(configuration, other, port);
        if (vlan == 0) continue;
        const std::string& name = configuration.ports[other].name;
        const std::string what = own ? fmt::format("is cabled to {} of this switch", name)
                                     : fmt::format("leads to {}, like {}", name_of(says), name);
        return fmt::format(
            "{}, and both have VLAN {}: a loop, if it is bridged there; spanning_tree: {{mode: "
            "rstp}} or an aggregation prevents that, and loop_guard ends it",
            what, vlan);
    }
    return {};
}

}  // namespace

std::vector<ParallelLinks::Change> ParallelLinks::look(const config::Configuration& configuration,
                                                       std::span<const lldp::Agent> agents) {
    std::map<lldp::Octets, std::vector<PortIndex>> seen;  // ports by chassis ID
    std::array<std::string, max_ports> now{};
    for (PortIndex port = 0; port < agents.size(); ++port) {
        for (const lldp::Neighbour& neighbour : agents[port].neighbours()) {
            const lldp::Lldpdu& says = neighbour.lldpdu;
            if (!is_bridge(says)) continue;
            std::vector<PortIndex>& ports = seen[says.chassis_id];
            if (now[port].empty()) {
                now[port] = text_of(configuration, agents, port, ports, says);
            }
            if (std::ranges::find(ports, port) == ports.end()) ports.push_back(port);
        }
    }
    std::vector<Change> changes;
    for (PortIndex port = 0; port < max_ports; ++port) {
        if (now[port].empty() == reported_[port].empty()) continue;
        const bool begins = !now[port].empty();
        changes.push_back(
            {port, begins, begins ? now[port] : "the second link to that bridge is gone"});
    }
    reported_ = std::move(now);
    return changes;
}

}  // namespace sluice::control

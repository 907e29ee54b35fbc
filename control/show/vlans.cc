#include "control/show/noun_snapshots.h"

#include <array>
#include <string>

namespace sluice::control {

namespace {

std::string name_of_vlan(const View& view, std::size_t id) {
    if (view.vlan_names == nullptr) return {};
    const auto found = view.vlan_names->find(static_cast<VlanId>(id));
    return found == view.vlan_names->end() ? std::string() : found->second;
}

}  // namespace

// A port that is a member of all VLANs does not make all 4094 appear: a VLAN is left out if only
// such ports are its members, and it has no untagged port, no name and default settings.
Json vlan_snapshot(const View& view, bool) {
    const VlanSettings& settings = view.settings.vlan;
    std::array<PortSet, max_vlans> untagged = settings.untagged;
    PortSet aware = 0;
    for_each_present_port(view, [&](PortIndex port) {
        const PortSettings& about = view.settings.ports[port];
        if (about.tagging.aware) aware |= only(port);
        if (!about.tagging.aware) untagged[about.default_vlan] |= only(port);
    });
    const PortSet every_port = first_ports(view.dataplane.port_count());
    const PortSet apart = only_mirrored_to(view.settings.mirrors);
    const auto members_of = [&](std::size_t id) {
        return (settings.filtering ? settings.members[id] : every_port) & ~apart;
    };
    PortSet everywhere = every_port;
    for (std::size_t id = 1; id < max_vlans - 1; ++id) everywhere &= members_of(id);
    Json rows = Json::array();
    for (std::size_t id = 1; id < max_vlans - 1; ++id) {
        const PortSet members = members_of(id);
        const bool learning = !settings.unlearned[id];
        const bool flood_unknown = !settings.unflooded[id];
        const bool ordinary = learning && flood_unknown;
        const PortSet without_tag = untagged[id] & ~apart;
        const std::string name = name_of_vlan(view, id);
        if (members == everywhere && without_tag == 0 && ordinary && name.empty()) continue;
        rows.push_back({{"vlan", id},
                        {"name", name},
                        {"ports", names_of(view, members)},
                        {"untagged", names_of(view, without_tag)},
                        {"tagged", names_of(view, members & aware & ~untagged[id])},
                        {"learning", learning},
                        {"flood_unknown", flood_unknown}});
    }
    return {{"filtering", settings.filtering}, {"vlans", std::move(rows)}};
}

}  // namespace sluice::control

#include "control/show/noun_snapshots.h"

#include <algorithm>
#include <map>

#include "control/querier/manager.h"

namespace sluice::control {

namespace {

// Returns the names of bridge ports. An aggregation counts as one port and has its own name.
Json bridge_names_of(const View& view, PortSet ports) {
    Json names = Json::array();
    for_each_port(ports, [&](PortIndex index) {
        const PortView& port = view.ports[index];
        if (port.vacant) return;
        names.push_back(port.aggregation.empty() ? port.name : port.aggregation);
    });
    return names;
}

Json snooped_protocols(const MulticastSettings& settings) {
    GroupProtocols snooped = 0;
    for (const GroupProtocols protocols : settings.snooping) snooped |= protocols;
    Json names = Json::array();
    if ((snooped & only_protocol(GroupProtocol::igmp)) != 0) names.push_back("igmp");
    if ((snooped & only_protocol(GroupProtocol::mld)) != 0) names.push_back("mld");
    return names;
}

std::string_view kind_of(const GroupEntry& group) {
    if (group.fixed == group.ports) return "static";
    return group.fixed == 0 ? "learned" : "both";
}

// Returns the name of a group. A group with an ID is shown as that ID, without the bit that marks
// groups.
std::string name_of_group(const GroupEntry& group) {
    const uint64_t bits = group.address.bits;
    return to_text(group.family, {has_ids(group.family) ? bits & highest_id(group.family) : bits});
}

Json groups(const View& view, const Memberships& memberships) {
    std::map<GroupTable::Key, GroupEntry> entries;  // ordered by family, VLAN and address
    memberships.groups().for_each([&](const GroupEntry& group) {
        entries.emplace(Fdb::key_of(group.family, group.vlan, group.address), group);
    });
    Json rows = Json::array();
    for (const auto& [key, group] : entries) {
        const bool reported = group.last_report.count() != 0;
        const int64_t age =
            reported ? std::max<int64_t>(0, (view.now - group.last_report).count()) : 0;
        rows.push_back({{"vlan", group.vlan},
                        {"group", name_of_group(group)},
                        {"family", name_of(group.family)},
                        {"ports", bridge_names_of(view, group.ports)},
                        {"static", bridge_names_of(view, group.fixed)},
                        {"kind", kind_of(group)},
                        {"age_s", age / 1'000'000'000}});
    }
    return rows;
}

Json routers(const View& view, const Memberships& memberships) {
    Json rows = Json::array();
    for (VlanId vlan = 1; vlan < max_vlans; ++vlan) {
        const PortSet ports = memberships.routers(vlan);
        if (ports != 0) rows.push_back({{"vlan", vlan}, {"ports", bridge_names_of(view, ports)}});
    }
    return rows;
}

// Returns the elected querier of each network in which the switch may query.
Json queriers(const View& view) {
    Json rows = Json::array();
    if (view.querier == nullptr) return rows;
    for (const auto& [key, network] : view.querier->networks()) {
        const auto& [vlan, protocol] = key;
        const auto& other = network.election.other();
        const Nanos next = other ? other->until : network.election.next();
        // The list is empty if the other querier's port was removed since.
        const Json ports = bridge_names_of(view, other ? only(other->port) : PortSet{0});
        rows.push_back(
            {{"vlan", vlan},
             {"protocol", protocol == GroupProtocol::igmp ? "igmp" : "mld"},
             {"own", !other},
             {"address", querier::text_of(protocol, other ? other->address : network.own)},
             {"port", ports.empty() ? Json() : ports.at(0)},
             {"next_s", std::max<int64_t>(0, (next - view.now).count()) / 1'000'000'000},
             {"queries", network.sent}});
    }
    return rows;
}

}  // namespace

Json multicast_snapshot(const View& view, bool) {
    const MulticastSettings& settings = view.settings.multicast;
    const Multicast& multicast = view.dataplane.multicast();
    const Memberships& memberships = multicast.memberships();
    const bool floods = settings.unregistered == Unregistered::flood;
    return {{"snooping", snooped_protocols(settings)},
            {"unregistered", floods ? "flood" : "router_ports"},
            {"capacity", memberships.groups().capacity()},
            {"known", memberships.groups().size()},
            {"full", memberships.full()},
            {"sources", memberships.sources()},
            {"sources_full", memberships.sources_full()},
            {"lost_reports", multicast.lost_reports()},
            {"router_ports", bridge_names_of(view, settings.router_ports)},
            {"routers", routers(view, memberships)},
            {"queriers", queriers(view)},
            {"groups_not_queried", view.querier == nullptr ? 0 : view.querier->groups_left_out()},
            {"groups", groups(view, memberships)}};
}

}  // namespace sluice::control

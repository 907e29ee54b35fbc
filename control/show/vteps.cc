#include "control/show/noun_snapshots.h"

#include <algorithm>
#include <map>

#include "config/port/encapsulations.h"
#include "config/port/tunnel_kinds.h"
#include "control/neighbours/manager.h"

namespace sluice::control {

namespace {

Json row_of(const View& view, const TunnelView& tunnel, const Vteps& network, VtepId id,
            std::size_t addresses) {
    const VtepWay way = network.way(Vteps::slot_of(id));
    const auto next_hop = view.neighbours->next_hop_to(tunnel.port, way.remote);
    const bool is_known = way.next_hop.bits != 0;
    const Vteps::Passed passed = network.passed(id);
    const VlanId vlan = network.network().vlan;
    return {{"port", view.ports[tunnel.port].name},
            {"vlan", vlan != 0 ? Json(vlan) : Json(nullptr)},
            {"vni", network.network().vni},
            {"vtep", config::to_text(way.remote)},
            {"from", view.settings.ports[tunnel.port].evpn ? "evpn" : "remotes"},
            {"floods", network.is_flooded(Vteps::slot_of(id))},
            {"next_hop", next_hop ? Json(config::to_text(*next_hop)) : Json(nullptr)},
            {"address", is_known ? Json(to_text(way.next_hop)) : Json(nullptr)},
            {"up", is_known && view.dataplane.link(tunnel.port)},
            {"addresses", addresses},
            {"rx_frames", passed.received},
            {"rx_bytes", passed.received_octets},
            {"tx_frames", passed.sent},
            {"tx_bytes", passed.sent_octets},
            {"dropped", passed.dropped}};
}

// Adds the rows in the order of the VTEPs' addresses.
void add_rows(const View& view, const TunnelView& tunnel, const Vteps& network, Json& rows) {
    std::map<VtepId, std::size_t> addresses;
    network.for_each_station([&](MacAddress, VtepId id) { ++addresses[id]; });
    std::map<Ipv4Address, VtepId> by_address;
    network.for_each([&](VtepId id, const VtepWay& way) { by_address.emplace(way.remote, id); });
    for (const auto& [remote, id] : by_address) {
        rows.push_back(row_of(view, tunnel, network, id, addresses[id]));
    }
}

// Returns null if the port is no tunnel.
const TunnelView* tunnel_at(const View& view, PortIndex port) {
    const auto tunnel = std::ranges::find(view.tunnels.tunnels, port, &TunnelView::port);
    return tunnel == view.tunnels.tunnels.end() ? nullptr : &*tunnel;
}
const Vteps* network_at(const View& view, PortIndex port, VlanId vlan) {
    const TunnelView* const tunnel = tunnel_at(view, port);
    return tunnel != nullptr && tunnel->bundle != nullptr ? tunnel->bundle->of_vlan(vlan) : nullptr;
}

}  // namespace

Json vtep_for(const View& view, PortIndex output, VlanId vlan, MacAddress destination) {
    const Vteps* const network = network_at(view, output, vlan);
    if (network == nullptr) return nullptr;
    const auto id = network->behind(destination);
    if (!id) return "all";
    return config::to_text(network->way(Vteps::slot_of(*id)).remote);
}

Json vni_for(const View& view, PortIndex output, VlanId vlan) {
    const TunnelView* const tunnel = tunnel_at(view, output);
    if (tunnel == nullptr) return nullptr;
    if (tunnel->bundle == nullptr) {
        const auto vni = config::facts_of(tunnel->encapsulation).vni;
        return vni ? Json(*vni) : Json(nullptr);
    }
    const Vteps* const network = tunnel->bundle->of_vlan(vlan);
    return network != nullptr ? Json(network->network().vni) : Json(nullptr);
}

Json vteps_snapshot(const View& view, bool) {
    Json rows = Json::array();
    if (view.neighbours == nullptr) return rows;
    for (const TunnelView& tunnel : view.tunnels.tunnels) {
        if (tunnel.bundle == nullptr) continue;
        for (std::size_t network = 0; network < tunnel.bundle->count(); ++network) {
            add_rows(view, tunnel, (*tunnel.bundle)[network], rows);
        }
    }
    return rows;
}

}  // namespace sluice::control

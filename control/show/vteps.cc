#include "control/show/vteps.h"

#include <algorithm>
#include <map>

#include "config/port/encapsulations.h"
#include "control/neighbours/manager.h"

namespace sluice::control {

namespace {

Json row_of(const View& view, const TunnelView& tunnel, VtepId id, const VtepWay& way,
            std::size_t addresses) {
    const auto next_hop = view.neighbours->next_hop_to(tunnel.port, way.remote);
    const bool is_known = way.next_hop.bits != 0;
    const Vteps::Passed passed = tunnel.vteps->passed(id);
    return {{"port", view.ports[tunnel.port].name},
            {"vni", config::vni_of(tunnel.encapsulation).value_or(0)},
            {"vtep", config::to_text(way.remote)},
            {"from", view.settings.ports[tunnel.port].evpn ? "evpn" : "remotes"},
            {"floods", tunnel.vteps->is_flooded(Vteps::slot_of(id))},
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

}  // namespace

Json vtep_for(const View& view, PortIndex output, MacAddress destination) {
    const auto tunnel = std::ranges::find(view.tunnels.tunnels, output, &TunnelView::port);
    if (tunnel == view.tunnels.tunnels.end() || tunnel->vteps == nullptr) return nullptr;
    const auto id = tunnel->vteps->behind(destination);
    if (!id) return "all";
    return config::to_text(tunnel->vteps->way(Vteps::slot_of(*id)).remote);
}

Json vteps_snapshot(const View& view, bool) {
    Json rows = Json::array();
    if (view.neighbours == nullptr) return rows;
    for (const TunnelView& tunnel : view.tunnels.tunnels) {
        if (tunnel.vteps == nullptr) continue;
        std::map<VtepId, std::size_t> addresses;
        tunnel.vteps->for_each_station([&](MacAddress, VtepId id) { ++addresses[id]; });
        std::map<Ipv4Address, VtepId> by_address;
        tunnel.vteps->for_each(
            [&](VtepId id, const VtepWay& way) { by_address.emplace(way.remote, id); });
        for (const auto& [remote, id] : by_address) {
            const VtepWay way = tunnel.vteps->way(Vteps::slot_of(id));
            rows.push_back(row_of(view, tunnel, id, way, addresses[id]));
        }
    }
    return rows;
}

}  // namespace sluice::control

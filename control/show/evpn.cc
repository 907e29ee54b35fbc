#include "control/show/noun_snapshots.h"

#include <algorithm>

#include "config/port/encapsulations.h"
#include "config/port/tunnel_kinds.h"
#include "config/yaml/values.h"
#include "control/evpn/manager.h"

namespace sluice::control {

namespace {

Json vteps_of(const View& view, const evpn::Network& network) {
    Json rows = Json::array();
    for (const auto& [address, vtep] : network.vteps()) {
        const auto port = network.tunnel_to(address);
        rows.push_back({{"vtep", config::to_text(address)},
                        {"port", port ? Json(view.ports[*port].name) : Json(nullptr)},
                        {"floods", vtep.floods},
                        {"stale", vtep.floods && !vtep.is_advertised},
                        {"addresses", vtep.addresses}});
    }
    return rows;
}

Json neighbours_of(const evpn::Neighbours& neighbours) {
    Json rows = Json::array();
    for (const auto& row : neighbours.rows()) {
        rows.push_back({{"address", config::to_text(row.ip)},
                        {"mac", config::format_address(row.mac)},
                        {"kind", row.remote ? "remote" : "local"},
                        {"router", row.router}});
    }
    return rows;
}

// Adds the counts of neighbours, and the neighbours themselves only with `all`, because they may be
// many.
void add_neighbours(Json& row, const evpn::Neighbours& neighbours, bool all) {
    const evpn::Neighbours::Counts counts = neighbours.counts();
    row["local_neighbours"] = counts.local;
    row["remote_neighbours"] = counts.remote;
    row["neighbours_left_out"] = counts.left_out;
    row["suppressed"] = counts.suppressed;
    row["unanswered"] = counts.unanswered;
    if (all) row["neighbours"] = neighbours_of(neighbours);
}

}  // namespace

Json vtep_of(const View& view, const FdbEntry& entry) {
    const auto tunnel = std::ranges::find(view.tunnels.tunnels, entry.port, &TunnelView::port);
    if (tunnel == view.tunnels.tunnels.end()) return nullptr;
    if (tunnel->bundle == nullptr) {
        const bool is_remote = entry.kind == EntryKind::remote;
        return is_remote ? Json(config::facts_of(tunnel->encapsulation).path) : Json(nullptr);
    }
    const Json vtep = vtep_for(view, entry.port, entry.vlan, entry.address);
    return vtep == "all" ? Json(nullptr) : vtep;
}

Json evpn_snapshot(const View& view, bool all) {
    const bool enabled = view.evpn != nullptr && view.evpn->is_on();
    Json shown{{"enabled", enabled}, {"networks", Json::array()}};
    if (!enabled) return shown;
    shown["resyncs"] = view.evpn->resyncs();
    shown["refused"] = view.evpn->refused();
    shown["why_refused"] = view.evpn->why_refused();
    for (const auto& of : view.evpn->networks()) {
        const evpn::Network::Counts counts = of->network.counts();
        shown["networks"].push_back({{"vni", of->config.vni},
                                     {"vlan", of->config.vlan},
                                     {"device", of->config.device},
                                     {"local_device", of->config.local_device},
                                     {"vtep", config::to_text(of->own)},
                                     {"up", of->why.empty()},
                                     {"why", of->why},
                                     {"local_addresses", counts.local},
                                     {"remote_addresses", counts.remote},
                                     {"stale", counts.stale},
                                     {"left_out", counts.left_out},
                                     {"sweeps", counts.sweeps},
                                     {"vteps", vteps_of(view, of->network)},
                                     {"neigh_suppress", of->config.neigh_suppress}});
        if (of->neighbours) add_neighbours(shown["networks"].back(), *of->neighbours, all);
    }
    return shown;
}

}  // namespace sluice::control

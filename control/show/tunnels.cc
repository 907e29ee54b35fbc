#include "control/show/noun_snapshots.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/port/encapsulations.h"
#include "config/port/tunnel_kinds.h"
#include "control/neighbours/manager.h"

namespace sluice::control {

namespace {

Json mac_of(const std::optional<MacAddress>& mac) {
    return mac ? Json(to_text(*mac)) : Json(nullptr);
}

Json ip_of(const std::optional<IpAddress>& ip) {
    return ip ? Json(config::to_text(*ip)) : Json(nullptr);
}

Json next_hop_of(const View& view, const TunnelView& tunnel) {
    const auto next_hop = view.neighbours->next_hop(tunnel.port);
    if (!next_hop) return nullptr;
    return {{"ip", ip_of(next_hop->ip)},
            {"address", mac_of(next_hop->mac)},
            {"static", next_hop->is_static}};
}

// Returns why the tunnel is down; empty: it is up.
std::string why_down(const View& view, const TunnelView& tunnel) {
    if (view.dataplane.link(tunnel.port)) return {};
    const auto next_hop = view.neighbours->next_hop(tunnel.port);
    if (next_hop && next_hop->ip && !next_hop->mac) {
        return fmt::format("waits for the MAC of {}", config::to_text(*next_hop->ip));
    }
    return view.dataplane.link(tunnel.underlay) ? "is shut down" : "its underlay is down";
}

// Return identifiers of the tunnel: the one that both ends share, and the one of this end. Null if
// the tunnel's kind has none.
Json vni_of(const config::TunnelFacts& facts) {
    return facts.vni ? Json(*facts.vni) : Json(nullptr);
}
Json local_of(const config::TunnelFacts& facts) {
    return facts.keys.empty() ? Json(nullptr) : Json(facts.keys.front().text);
}

// Returns null if the port has no address of that IP version.
template <class Address>
Json own_of(const Address& address) {
    return address == Address{} ? Json(nullptr) : Json(config::to_text(address));
}

// Returns how many octets the tunnel delivers at its speed until a pause that is sent through the
// tunnel takes effect.
Json reserve_of(const View& view, PortIndex port, Nanos round_trip) {
    const Wide bits = Wide{view.settings.ports[port].speed.count()} * round_trip.count();
    return static_cast<int64_t>(bits / 8 / 1'000'000'000);
}

// Returns the most headroom that frames from the other end ever used in any relayed priority.
uint64_t most_reserve_used(const View& view, PortIndex port) {
    uint64_t most = 0;
    for_each_priority(view.settings.ports[port].pfc.relay.priorities, [&](Priority priority) {
        most = std::max(most, view.dataplane.ingress(port).group(priority).headroom_max());
    });
    return most;
}

// Returns the state of pause relaying. Pauses are obeyed at an end that has link and cannot relay
// them to the other end. Null if neither end has link: no pause is received then.
Json state_of(const View& view, PortIndex tunnel, PortIndex other) {
    if (!view.dataplane.link(tunnel) && !view.dataplane.link(other)) return nullptr;
    const auto obeys = [&](PortIndex port) {
        return view.dataplane.link(port) &&
               view.dataplane.egress(port).gate().relay().priorities() == 0;
    };
    return obeys(tunnel) || obeys(other) ? "obeyed" : "relayed";
}

// Returns `relay` of a tunnel; null if the tunnel does not relay pauses.
Json relay_of(const View& view, PortIndex port) {
    const PauseRelaySettings& relay = view.settings.ports[port].pfc.relay;
    if (relay.to == no_relay) return nullptr;
    const RelayProbe& probe = view.dataplane.egress(port).gate().relay().measured();
    const auto trips = probe.round_trips(view.now);
    const auto if_known = [&](auto value) { return trips ? Json(value()) : Json(nullptr); };
    return {{"to", view.ports[relay.to].name},
            {"pauses", state_of(view, port, relay.to)},
            {"delay_ns", if_known([&] { return (trips->shortest / 2).count(); })},
            {"delay_max_ns", if_known([&] { return (trips->longest / 2).count(); })},
            {"reserve_bytes", if_known([&] { return reserve_of(view, port, trips->longest); })},
            {"headroom_bytes", view.settings.ports[port].pfc.headroom.count()},
            {"headroom_used_max", most_reserve_used(view, port)},
            {"probes", probe.asked()},
            {"answers", probe.answered()}};
}

// Returns null unless the tunnel is point-to-multipoint.
Json vteps_of(const TunnelView& tunnel) {
    return tunnel.bundle != nullptr ? Json(tunnel.bundle->vteps()) : Json(nullptr);
}

// Returns VLAN and VNI of each network; null if the tunnel has only one network.
Json vnis_of(const TunnelView& tunnel) {
    if (tunnel.bundle == nullptr || !tunnel.bundle->is_by_vlan()) return nullptr;
    Json rows = Json::array();
    for (std::size_t place = 0; place < tunnel.bundle->count(); ++place) {
        const VlanVni& network = (*tunnel.bundle)[place].network();
        rows.push_back({{"vlan", network.vlan}, {"vni", network.vni}});
    }
    return rows;
}

Json neighbours_of(const View& view, PortIndex port) {
    Json rows = Json::array();
    const neighbours::Resolver* const resolver = view.neighbours->at(port);
    if (resolver == nullptr) return rows;
    for (const neighbours::Neighbour& neighbour : resolver->neighbours()) {
        const bool known = neighbour.is_known();
        rows.push_back(
            {{"ip", config::to_text(neighbour.ip)},
             {"address", known ? Json(to_text(neighbour.mac)) : Json(nullptr)},
             {"age_s", known ? Json((view.now - neighbour.last_seen).count() / 1'000'000'000)
                             : Json(nullptr)},
             {"asked", neighbour.asked}});
    }
    return rows;
}

}  // namespace

Json tunnels_snapshot(const View& view, bool) {
    Json shown{{"tunnels", Json::array()}, {"underlays", Json::array()}};
    if (view.neighbours == nullptr) return shown;
    for (const TunnelView& tunnel : view.tunnels.tunnels) {
        const std::string why = why_down(view, tunnel);
        const config::TunnelFacts facts = config::facts_of(tunnel.encapsulation);
        shown["tunnels"].push_back({{"port", view.ports[tunnel.port].name},
                                    {"underlay", view.ports[tunnel.underlay].name},
                                    {"encapsulation", facts.scheme},
                                    {"remote", facts.path},
                                    {"vni", vni_of(facts)},
                                    {"vnis", vnis_of(tunnel)},
                                    {"local", local_of(facts)},
                                    {"next_hop", next_hop_of(view, tunnel)},
                                    {"up", why.empty()},
                                    {"why", why},
                                    {"encapsulated", tunnel.encapsulated},
                                    {"copied", tunnel.copied},
                                    {"decapsulated", tunnel.decapsulated},
                                    {"flooded", tunnel.flooded},
                                    {"unmapped", tunnel.unmapped},
                                    {"vteps", vteps_of(tunnel)},
                                    {"relay", relay_of(view, tunnel.port)}});
    }
    for (const UnderlayView& below : view.tunnels.underlays) {
        Json refused = Json::object();
        for (const auto& [why, frames] : below.refused) refused[why] = frames;
        shown["underlays"].push_back({{"port", view.ports[below.port].name},
                                      {"ip", own_of(below.addresses.ipv4)},
                                      {"ip6", own_of(below.addresses.ipv6)},
                                      {"refused", std::move(refused)},
                                      {"neighbours_received", below.received},
                                      {"neighbours_dropped", below.dropped},
                                      {"no_buffer", below.no_buffer},
                                      {"cut_off", below.cut_off},
                                      {"neighbours", neighbours_of(view, below.port)}});
    }
    return shown;
}

}  // namespace sluice::control

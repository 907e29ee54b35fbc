#include "control/neighbours/manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "config/port/tunnel_kinds.h"
#include "config/yaml/values.h"
#include "dataplane/tunnel/outer_header.h"
#include "dataplane/types/tag.h"

namespace sluice::control {

NeighbourManager::NeighbourManager(Switch& dataplane, const config::Configuration& configuration,
                                   Nanos now, EventSink& events)
    : dataplane_(dataplane), events_(events) {
    configure(configuration, now);
}

void NeighbourManager::configure(const config::Configuration& configuration, Nanos now) {
    std::map<PortIndex, Tunnel> tunnels_before = std::exchange(tunnels_, {});
    std::map<PortIndex, std::vector<Ipv6Address>> sids;
    ageing_ = configuration.settings.fdb.ageing;
    for (PortIndex port = 0; port < configuration.ports.size(); ++port) {
        const config::PortConfig& about = configuration.ports[port];
        if (!about.tunnel) continue;
        const PortIndex underlay = configuration.settings.ports[port].underlay;
        const Encapsulation& encapsulation = about.tunnel->encapsulation;
        const config::TunnelFacts facts = config::facts_of(encapsulation);
        const auto ip = configuration.ports[underlay].underlay->next_hop(facts.first);
        Tunnel& tunnel = tunnels_[port];
        if (leads_to_many(encapsulation)) {
            tunnel = std::move(tunnels_before[port]);
            if (!tunnel.to_many) tunnel.aged = now;
            tunnel.underlay = underlay;
            tunnel.to_many = true;
            tunnel.by_daemon = configuration.settings.ports[port].evpn;
            tunnel.remotes_changed |= tunnel.remotes != about.tunnel->remotes;
            tunnel.remotes = about.tunnel->remotes;
        } else {
            tunnel = {.underlay = underlay, .ip = ip, .is_static = about.tunnel->next_hop};
        }
        if (facts.sid) sids[underlay].push_back(*facts.sid);
    }
    std::map<PortIndex, Port> before = std::exchange(ports_, {});
    for (PortIndex port = 0; port < configuration.ports.size(); ++port) {
        const config::PortConfig& about = configuration.ports[port];
        if (!about.underlay) continue;
        const neighbours::OwnAddresses own{configuration.settings.ports[port].address,
                                           about.underlay->address, about.underlay->address6};
        auto found = before.extract(port);
        if (found && found.mapped().resolver.own() == own) {
            ports_.insert(std::move(found));
        } else {
            ports_.emplace(
                port, Port{.resolver = neighbours::Resolver(own), .underlay = *about.underlay});
        }
        ports_.at(port).underlay = *about.underlay;
        ports_.at(port).vlan = about.underlay->vlan;
        ports_.at(port).pcp = about.underlay->marks.pcps[max_priorities - 1];
        ports_.at(port).resolver.set_sids(std::move(sids[port]));
        want(port, now);
    }
}

void NeighbourManager::want(PortIndex underlay, Nanos now) {
    std::vector<IpAddress> wanted;
    for (const auto& [port, tunnel] : tunnels_) {
        if (tunnel.underlay != underlay) continue;
        if (tunnel.ip && !tunnel.is_static) wanted.push_back(*tunnel.ip);
        wanted.insert(wanted.end(), tunnel.wanted.begin(), tunnel.wanted.end());
    }
    ports_.at(underlay).resolver.want(wanted, now);
}

void NeighbourManager::resolve(PortIndex tunnel, Bundle& bundle, Nanos now) {
    const auto found = tunnels_.find(tunnel);
    if (found == tunnels_.end() || !found->second.to_many) return;
    Tunnel& about = found->second;
    const bool ages = !about.by_daemon && ageing_ > Nanos(0) && now - about.aged >= ageing_;
    if (ages) about.aged = now;
    if (std::exchange(about.remotes_changed, false) && !about.by_daemon) {
        keep_remotes(bundle, about.remotes);
    }
    const auto below = ports_.find(about.underlay);
    if (below == ports_.end()) return;
    std::map<IpAddress, MacAddress> known;
    for (const neighbours::Neighbour& neighbour : below->second.resolver.neighbours()) {
        known.emplace(neighbour.ip, neighbour.mac);
    }
    std::set<IpAddress> wanted;
    const auto mac_to = [&](Ipv4Address remote) -> std::optional<MacAddress> {
        const auto ip = next_hop_to(tunnel, remote);
        if (!ip) return std::nullopt;
        wanted.insert(*ip);
        const auto at = known.find(*ip);
        return at != known.end() ? at->second : MacAddress{};
    };
    std::map<Ipv4Address, std::optional<MacAddress>> macs;  // by remote VTEP, shared by networks
    for (std::size_t network = 0; network < bundle.count(); ++network) {
        Vteps& vteps = bundle[network];
        if (ages) vteps.age();
        vteps.for_each([&](VtepId id, const VtepWay& way) {
            const auto [mac, is_new] = macs.try_emplace(way.remote);
            if (is_new) mac->second = mac_to(way.remote);
            if (mac->second && *mac->second != way.next_hop) vteps.set_next_hop(id, *mac->second);
        });
    }
    if (!std::ranges::equal(wanted, about.wanted)) {
        about.wanted.assign(wanted.begin(), wanted.end());
        want(about.underlay, now);
    }
    report_displaced(tunnel, about, bundle, now);
}

void NeighbourManager::report_displaced(PortIndex tunnel, Tunnel& about, const Bundle& bundle,
                                        Nanos now) {
    uint64_t displaced = 0;
    std::string networks;
    for (std::size_t network = 0; network < bundle.count(); ++network) {
        const Vteps& vteps = bundle[network];
        displaced += vteps.displaced();
        if (vteps.displaced() == 0) continue;
        networks += fmt::format("{}{}", networks.empty() ? "VNI " : ", ", vteps.network().vni);
    }
    if (displaced == about.displaced || !events_.admits("vtep_stations_full", tunnel, now)) return;
    about.displaced = displaced;
    events_.warn("vtep_stations_full", tunnel,
                 fmt::format("VTEP station table full: {} learned stations replaced others, which "
                             "are now flooded ({})",
                             displaced, networks));
}

std::optional<IpAddress> NeighbourManager::next_hop_to(PortIndex tunnel, Ipv4Address vtep) const {
    const auto found = tunnels_.find(tunnel);
    if (found == tunnels_.end()) return std::nullopt;
    const auto below = ports_.find(found->second.underlay);
    if (below == ports_.end()) return std::nullopt;
    return below->second.underlay.next_hop(vtep);
}

bool NeighbourManager::send(PortIndex port, neighbours::Octets octets) {
    const Port& from = ports_.at(port);
    if (from.vlan != 0) {
        std::array<uint8_t, outer_tag_octets> tag;
        write_16(tag.data(), ether_type_of(TagType::customer));
        write_16(tag.data() + 2, static_cast<uint16_t>(from.pcp << 13 | from.vlan));
        octets.insert(octets.begin() + tag_offset, tag.begin(), tag.end());
    }
    return dataplane_.send_for_control(port, octets);
}

// An announcement for which the mailbox has no room is sent later.
void NeighbourManager::announce(PortIndex port, Port& at) {
    const bool has_link = dataplane_.link(port);
    if (has_link && !at.had_link) at.resolver.announce();
    at.had_link = has_link;
    for (int n = 0; n < announcements_at_once && has_link; ++n) {
        auto octets = at.resolver.announcement();
        if (!octets || !send(port, std::move(*octets))) return;
        at.resolver.announced();
    }
}

void NeighbourManager::receive(PortIndex port, std::span<const uint8_t> octets, Nanos now) {
    const auto found = ports_.find(port);
    if (found == ports_.end()) return;
    std::vector<neighbours::Change> changes;
    const auto answer = found->second.resolver.receive(octets, now, changes);
    // An answer for which the mailbox has no room is dropped: the neighbour repeats its request.
    if (answer) send(port, *answer);
    for (const neighbours::Change& change : changes) report(port, change, now);
}

void NeighbourManager::tick(Nanos now) {
    for (auto& [port, at] : ports_) {
        std::vector<neighbours::Change> changes;
        for (const neighbours::Octets& request :
             at.resolver.proceed(now, changes, requests_at_once)) {
            send(port, request);  // if the mailbox has no room, the resolver repeats the request
        }
        announce(port, at);
        for (const neighbours::Change& change : changes) report(port, change, now);
    }
}

void NeighbourManager::report(PortIndex port, const neighbours::Change& change, Nanos now) {
    const std::string ip = config::to_text(change.ip);
    const std::string mac = config::format_address(change.mac);
    switch (change.event) {
        case neighbours::Event::resolved:
            return events_.report(
                notice("neighbour_resolved", port, fmt::format("{} is {}", ip, mac)), now);
        case neighbours::Event::moved:
            return events_.report(
                notice("neighbour_resolved", port, fmt::format("{} is now at {}", ip, mac)), now);
        case neighbours::Event::lost:
            return events_.report(
                warning(
                    "neighbour_lost", port,
                    fmt::format("{} ({}) stopped answering: its tunnels are down until it answers",
                                ip, mac)),
                now);
        case neighbours::Event::same_address:
            return events_.report(
                warning("address_taken", port,
                        fmt::format(
                            "address conflict: {} also has {}; give one of them another address",
                            mac, ip)),
                now);
    }
}

std::optional<NeighbourManager::NextHop> NeighbourManager::next_hop(PortIndex tunnel) const {
    const auto found = tunnels_.find(tunnel);
    if (found == tunnels_.end()) return std::nullopt;
    const Tunnel& about = found->second;
    if (about.to_many) return std::nullopt;
    const auto& ip = about.ip;
    if (about.is_static) return NextHop{ip, about.is_static, true};
    const auto at = ports_.find(about.underlay);
    const bool asked = ip && at != ports_.end();
    return NextHop{ip, asked ? at->second.resolver.find(*ip) : std::nullopt, false};
}

const neighbours::Resolver* NeighbourManager::at(PortIndex port) const {
    const auto found = ports_.find(port);
    return found == ports_.end() ? nullptr : &found->second.resolver;
}

}  // namespace sluice::control

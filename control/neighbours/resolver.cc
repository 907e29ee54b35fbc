#include "control/neighbours/resolver.h"

#include <algorithm>
#include <utility>

namespace sluice::neighbours {

namespace {

Nanos pause_after(unsigned asked) {
    constexpr unsigned quick = 3;
    constexpr unsigned doublings = 5;
    if (asked <= quick) return Resolver::first_pause;
    return std::min(Resolver::first_pause * (int64_t{1} << std::min(asked - quick, doublings)),
                    Resolver::longest_pause);
}

bool is_station(MacAddress mac) { return mac.bits != 0 && !mac.is_group(); }

Octets octets_of(const ArpFrame& frame) { return {frame.begin(), frame.end()}; }

}  // namespace

bool Resolver::is_own(const Ipv6Address& ip) const {
    return ip == own_.ipv6 || std::ranges::find(sids_, ip) != sids_.end();
}

void Resolver::want(std::span<const IpAddress> stations, Nanos now) {
    std::erase_if(neighbours_, [&](const Neighbour& neighbour) {
        return std::ranges::find(stations, neighbour.ip) == stations.end();
    });
    for (const IpAddress& ip : stations) {
        if (std::ranges::find(neighbours_, ip, &Neighbour::ip) != neighbours_.end()) continue;
        neighbours_.push_back({.ip = ip, .mac = {}, .heard = now, .next_request = now});
    }
}

std::optional<Octets> Resolver::hear(std::span<const uint8_t> octets, Nanos now,
                                     std::vector<Change>& changes) {
    if (const auto packet = read_arp(octets)) return hear_arp(*packet, now, changes);
    if (const auto packet = read_solicitation(octets)) {
        return hear_solicitation(*packet, now, changes);
    }
    if (const auto packet = read_advertisement(octets)) {
        hear_advertisement(*packet, now, changes);
    }
    return std::nullopt;
}

void Resolver::hear_advertisement(const Advertisement& packet, Nanos now,
                                  std::vector<Change>& changes) {
    if (!packet.solicited || !is_station(packet.mac)) return;
    const auto before = find(packet.target);
    if (!packet.tells_mac) {
        if (before) learn(*before, packet.target, now, changes);
    } else if (packet.overrides || !before || *before == packet.mac) {
        learn(packet.mac, packet.target, now, changes);
    }
}

std::optional<Octets> Resolver::hear_arp(const ArpPacket& packet, Nanos now,
                                         std::vector<Change>& changes) {
    if (packet.target.ip != own_.ipv4 || !is_station(packet.sender.mac)) return std::nullopt;
    if (packet.sender.ip == own_.ipv4 && packet.sender.mac != own_.mac) {
        tell_of_same(packet.sender.mac, packet.sender.ip, changes);
    } else {
        learn(packet.sender.mac, packet.sender.ip, now, changes);
    }
    if (packet.operation != Operation::request) return std::nullopt;
    return octets_of(write_arp(
        {.operation = Operation::reply, .sender = {own_.mac, *own_.ipv4}, .target = packet.sender},
        packet.sender.mac));
}

std::optional<Octets> Resolver::hear_solicitation(const Solicitation& packet, Nanos now,
                                                  std::vector<Change>& changes) {
    if (!is_own(packet.target) || !is_station(packet.mac)) return std::nullopt;
    if (is_own(packet.source) && packet.mac != own_.mac) {
        tell_of_same(packet.mac, packet.source, changes);
    } else if (packet.tells_mac) {
        learn(packet.mac, packet.source, now, changes);
    }
    return write_advertisement({.target = packet.target, .mac = own_.mac}, packet);
}

void Resolver::tell_of_same(MacAddress mac, const IpAddress& ip, std::vector<Change>& changes) {
    if (!std::exchange(told_of_same_, true)) changes.push_back({Event::same_address, mac, ip});
}

void Resolver::learn(MacAddress mac, const IpAddress& ip, Nanos now, std::vector<Change>& changes) {
    const auto found = std::ranges::find(neighbours_, ip, &Neighbour::ip);
    if (found == neighbours_.end()) return;
    if (found->mac != mac) {
        changes.push_back({found->is_known() ? Event::moved : Event::resolved, mac, ip});
    }
    found->mac = mac;
    found->heard = now;
    found->next_request = now + fresh;
    found->asked = 0;
}

std::vector<Octets> Resolver::proceed(Nanos now, std::vector<Change>& changes) {
    std::vector<Octets> requests;
    for (Neighbour& neighbour : neighbours_) {
        if (neighbour.is_known() && now >= neighbour.heard + known) {
            changes.push_back({Event::lost, neighbour.mac, neighbour.ip});
            neighbour.mac = {};
        }
        if (now < neighbour.next_request) continue;
        ++neighbour.asked;
        neighbour.next_request =
            now + (neighbour.is_known() ? first_pause : pause_after(neighbour.asked));
        requests.push_back(question(neighbour));
    }
    return requests;
}

std::vector<Octets> Resolver::announcements() const {
    std::vector<Octets> said;
    if (own_.ipv4) {
        const Station self{own_.mac, *own_.ipv4};
        said.push_back(octets_of(
            write_arp({.operation = Operation::request, .sender = self, .target = {{}, self.ip}},
                      broadcast_address)));
    }
    std::vector<Ipv6Address> addresses = sids_;
    if (own_.ipv6) addresses.push_back(*own_.ipv6);
    for (const Ipv6Address& address : addresses) {
        said.push_back(write_advertisement({.target = address, .mac = own_.mac}, Solicitation{}));
    }
    return said;
}

Octets Resolver::question(const Neighbour& neighbour) const {
    if (const auto* const ipv4 = std::get_if<Ipv4Address>(&neighbour.ip)) {
        return octets_of(write_arp({.operation = Operation::request,
                                    .sender = {own_.mac, own_.ipv4.value_or(Ipv4Address{})},
                                    .target = {.mac = {}, .ip = *ipv4}},
                                   neighbour.is_known() ? neighbour.mac : broadcast_address));
    }
    return write_solicitation({.source = own_.ipv6.value_or(Ipv6Address{}),
                               .target = *std::get_if<Ipv6Address>(&neighbour.ip),
                               .mac = own_.mac},
                              neighbour.is_known() ? std::optional(neighbour.mac) : std::nullopt);
}

std::optional<MacAddress> Resolver::find(const IpAddress& ip) const {
    const auto found = std::ranges::find(neighbours_, ip, &Neighbour::ip);
    if (found == neighbours_.end() || !found->is_known()) return std::nullopt;
    return found->mac;
}

}  // namespace sluice::neighbours

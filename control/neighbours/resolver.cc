#include "control/neighbours/resolver.h"

#include <algorithm>
#include <cassert>
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
        neighbours_.push_back(
            {.ip = ip, .mac = {}, .last_seen = now, .expires = now, .next_request = now});
    }
}

void Resolver::set_sids(std::vector<Ipv6Address> sids) {
    const std::vector<Ipv6Address> before = std::exchange(sids_, std::move(sids));
    std::erase_if(unannounced_, [&](const IpAddress& ip) {
        const auto* const sid = std::get_if<Ipv6Address>(&ip);
        return sid != nullptr && !is_own(*sid);
    });
    for (const Ipv6Address& sid : sids_) {
        if (std::ranges::find(before, sid) == before.end()) unannounced_.emplace_back(sid);
    }
}

std::optional<Octets> Resolver::receive(std::span<const uint8_t> octets, Nanos now,
                                        std::vector<Change>& changes) {
    if (const auto packet = read_arp(octets)) return receive_arp(*packet, now, changes);
    if (const auto packet = read_solicitation(octets)) {
        return receive_solicitation(*packet, now, changes);
    }
    if (const auto packet = read_advertisement(octets)) {
        receive_advertisement(*packet, now, changes);
    }
    return std::nullopt;
}

void Resolver::receive_advertisement(const Advertisement& packet, Nanos now,
                                     std::vector<Change>& changes) {
    if (!is_station(packet.mac)) return;
    if (is_own(packet.target)) {
        if (packet.mac != own_.mac) report_same_address(packet.mac, packet.target, changes);
        return;
    }
    const auto before = find(packet.target);
    if (!packet.has_link_layer_address) {
        if (before && packet.solicited) learn(*before, packet.target, now, changes);
    } else if (packet.overrides || !before || *before == packet.mac) {
        if (packet.solicited) {
            learn(packet.mac, packet.target, now, changes);
        } else {
            learn_announced(packet.mac, packet.target, now, changes);
        }
    }
}

std::optional<Octets> Resolver::receive_arp(const ArpPacket& packet, Nanos now,
                                            std::vector<Change>& changes) {
    if (!is_station(packet.sender.mac)) return std::nullopt;
    if (packet.target.ip != own_.ipv4) {
        const bool is_announcement = packet.target.ip == packet.sender.ip;
        if (is_announcement) learn_announced(packet.sender.mac, packet.sender.ip, now, changes);
        return std::nullopt;
    }
    if (packet.sender.ip == own_.ipv4 && packet.sender.mac != own_.mac) {
        report_same_address(packet.sender.mac, packet.sender.ip, changes);
    } else {
        learn(packet.sender.mac, packet.sender.ip, now, changes);
    }
    if (packet.operation != Operation::request) return std::nullopt;
    return octets_of(write_arp(
        {.operation = Operation::reply, .sender = {own_.mac, *own_.ipv4}, .target = packet.sender},
        packet.sender.mac));
}

std::optional<Octets> Resolver::receive_solicitation(const Solicitation& packet, Nanos now,
                                                     std::vector<Change>& changes) {
    if (!is_own(packet.target) || !is_station(packet.mac)) return std::nullopt;
    if (is_own(packet.source) && packet.mac != own_.mac) {
        report_same_address(packet.mac, packet.source, changes);
    } else if (packet.has_link_layer_address) {
        learn(packet.mac, packet.source, now, changes);
    }
    return write_advertisement({.target = packet.target, .mac = own_.mac}, packet);
}

void Resolver::report_same_address(MacAddress mac, const IpAddress& ip,
                                   std::vector<Change>& changes) {
    if (!std::exchange(same_address_reported_, true))
        changes.push_back({Event::same_address, mac, ip});
}

Neighbour* Resolver::find_wanted(const IpAddress& ip) {
    const auto found = std::ranges::find(neighbours_, ip, &Neighbour::ip);
    return found == neighbours_.end() ? nullptr : &*found;
}

void Resolver::set_mac(Neighbour& neighbour, MacAddress mac, std::vector<Change>& changes) {
    if (neighbour.mac != mac) {
        const Event event = neighbour.is_known() ? Event::moved : Event::resolved;
        changes.push_back({event, mac, neighbour.ip});
    }
    assert(is_station(mac));
    neighbour.mac = mac;
    neighbour.asked = 0;
}

// The port's own MAC is never learned for another address.
void Resolver::learn(MacAddress mac, const IpAddress& ip, Nanos now, std::vector<Change>& changes) {
    Neighbour* const neighbour = find_wanted(ip);
    if (neighbour == nullptr || mac == own_.mac) return;
    set_mac(*neighbour, mac, changes);
    neighbour->last_seen = now;
    neighbour->expires = now + known;
    neighbour->next_request = now + fresh;
    neighbour->is_verified = true;
}

// An announcement does not extend the time until a known neighbour expires.
void Resolver::learn_announced(MacAddress mac, const IpAddress& ip, Nanos now,
                               std::vector<Change>& changes) {
    Neighbour* const neighbour = find_wanted(ip);
    if (neighbour == nullptr || mac == own_.mac || neighbour->mac == mac) return;
    const Nanos soon = now + (known - fresh);
    neighbour->expires = neighbour->is_known() ? std::min(neighbour->expires, soon) : soon;
    set_mac(*neighbour, mac, changes);
    neighbour->last_seen = now;
    neighbour->next_request = now;
    neighbour->is_verified = false;
}

std::vector<Octets> Resolver::proceed(Nanos now, std::vector<Change>& changes, std::size_t most) {
    std::vector<Octets> requests;
    const std::size_t first = std::exchange(ask_from_, 0);
    for (std::size_t n = 0; n < neighbours_.size(); ++n) {
        const std::size_t place = (first + n) % neighbours_.size();
        Neighbour& neighbour = neighbours_[place];
        if (neighbour.is_known() && now >= neighbour.expires) {
            changes.push_back({Event::lost, neighbour.mac, neighbour.ip});
            neighbour.mac = {};
            neighbour.asked = 0;
            neighbour.next_request = now;
        }
        if (now < neighbour.next_request) continue;
        if (requests.size() == most) {
            if (ask_from_ == 0) ask_from_ = place;
            continue;
        }
        ++neighbour.asked;
        neighbour.next_request =
            now + (neighbour.is_known() ? first_pause : pause_after(neighbour.asked));
        requests.push_back(question(neighbour));
    }
    return requests;
}

void Resolver::announce() {
    unannounced_.clear();
    if (own_.ipv4) unannounced_.emplace_back(*own_.ipv4);
    if (own_.ipv6) unannounced_.emplace_back(*own_.ipv6);
    unannounced_.insert(unannounced_.end(), sids_.begin(), sids_.end());
}

std::optional<Octets> Resolver::announcement() const {
    if (unannounced_.empty()) return std::nullopt;
    if (const auto* const ipv6 = std::get_if<Ipv6Address>(&unannounced_.front())) {
        return write_advertisement({.target = *ipv6, .mac = own_.mac}, Solicitation{});
    }
    const Station self{own_.mac, *std::get_if<Ipv4Address>(&unannounced_.front())};
    return octets_of(
        write_arp({.operation = Operation::request, .sender = self, .target = {{}, self.ip}},
                  broadcast_address));
}

Octets Resolver::question(const Neighbour& neighbour) const {
    const bool is_sure = neighbour.is_known() && neighbour.is_verified;
    if (const auto* const ipv4 = std::get_if<Ipv4Address>(&neighbour.ip)) {
        return octets_of(write_arp({.operation = Operation::request,
                                    .sender = {own_.mac, own_.ipv4.value_or(Ipv4Address{})},
                                    .target = {.mac = {}, .ip = *ipv4}},
                                   is_sure ? neighbour.mac : broadcast_address));
    }
    return write_solicitation({.source = own_.ipv6.value_or(Ipv6Address{}),
                               .target = *std::get_if<Ipv6Address>(&neighbour.ip),
                               .mac = own_.mac},
                              is_sure ? std::optional(neighbour.mac) : std::nullopt);
}

std::optional<MacAddress> Resolver::find(const IpAddress& ip) const {
    const auto found = std::ranges::find(neighbours_, ip, &Neighbour::ip);
    if (found == neighbours_.end() || !found->is_known()) return std::nullopt;
    return found->mac;
}

}  // namespace sluice::neighbours

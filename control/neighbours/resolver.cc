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

}  // namespace

void Resolver::want(std::span<const Ipv4Address> stations, Nanos now) {
    std::erase_if(neighbours_, [&](const Neighbour& neighbour) {
        return std::ranges::find(stations, neighbour.ip) == stations.end();
    });
    for (const Ipv4Address ip : stations) {
        if (std::ranges::find(neighbours_, ip, &Neighbour::ip) != neighbours_.end()) continue;
        neighbours_.push_back({.ip = ip, .mac = {}, .heard = now, .next_request = now});
    }
}

std::optional<ArpFrame> Resolver::hear(std::span<const uint8_t> octets, Nanos now,
                                       std::vector<Change>& changes) {
    const auto packet = read_arp(octets);
    if (!packet || packet->target.ip != own_.ip || !is_station(packet->sender.mac)) {
        return std::nullopt;
    }
    if (packet->sender.ip == own_.ip && packet->sender.mac != own_.mac) {
        if (!std::exchange(told_of_same_, true)) {
            changes.push_back({Event::same_address, packet->sender});
        }
    } else {
        learn(packet->sender, now, changes);
    }
    if (packet->operation != Operation::request) return std::nullopt;
    return write_arp({.operation = Operation::reply, .sender = own_, .target = packet->sender},
                     packet->sender.mac);
}

void Resolver::learn(const Station& station, Nanos now, std::vector<Change>& changes) {
    const auto found = std::ranges::find(neighbours_, station.ip, &Neighbour::ip);
    if (found == neighbours_.end()) return;
    if (found->mac != station.mac) {
        changes.push_back({found->is_known() ? Event::moved : Event::resolved, station});
    }
    found->mac = station.mac;
    found->heard = now;
    found->next_request = now + fresh;
    found->asked = 0;
}

std::vector<ArpFrame> Resolver::proceed(Nanos now, std::vector<Change>& changes) {
    std::vector<ArpFrame> requests;
    for (Neighbour& neighbour : neighbours_) {
        if (neighbour.is_known() && now >= neighbour.heard + known) {
            changes.push_back({Event::lost, {neighbour.mac, neighbour.ip}});
            neighbour.mac = {};
        }
        if (now < neighbour.next_request) continue;
        ++neighbour.asked;
        neighbour.next_request =
            now + (neighbour.is_known() ? first_pause : pause_after(neighbour.asked));
        requests.push_back(write_arp({.operation = Operation::request,
                                      .sender = own_,
                                      .target = {.mac = {}, .ip = neighbour.ip}},
                                     neighbour.is_known() ? neighbour.mac : broadcast_address));
    }
    return requests;
}

std::optional<MacAddress> Resolver::find(Ipv4Address ip) const {
    const auto found = std::ranges::find(neighbours_, ip, &Neighbour::ip);
    if (found == neighbours_.end() || !found->is_known()) return std::nullopt;
    return found->mac;
}

}  // namespace sluice::neighbours

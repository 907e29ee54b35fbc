#include "control/lldp/neighbour_table.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sluice::lldp {

namespace {

Nanos lifetime_of(const Lldpdu& lldpdu) { return Nanos(1'000'000'000) * lldpdu.ttl; }

bool is_from(const Neighbour& neighbour, const Lldpdu& lldpdu, Destination to) {
    return neighbour.to == to && neighbour.lldpdu.chassis_id == lldpdu.chassis_id &&
           neighbour.lldpdu.port_id == lldpdu.port_id;
}

// Whether nothing but the TTL differs.
bool same_content(const Neighbour& before, const Neighbour& now) {
    Lldpdu renewed = now.lldpdu;
    renewed.ttl = before.lldpdu.ttl;
    return before.source == now.source && before.lldpdu == renewed;
}

constexpr std::size_t octets_of_address = 6;

// Returns the MAC address in a chassis or port ID (its first octet is the subtype); empty if there
// is none.
std::optional<MacAddress> mac_address_in(const Octets& id, uint8_t mac_address_subtype) {
    if (id.size() != 1 + octets_of_address || id.front() != mac_address_subtype) return {};
    return read_address(&id[1]);
}

}  // namespace

std::vector<MacAddress> addresses_of(const Neighbour& neighbour) {
    std::vector<MacAddress> stations;
    const auto add = [&](std::optional<MacAddress> station) {
        const bool is_one = station && *station != MacAddress{} && !station->is_group();
        if (is_one && std::ranges::find(stations, *station) == stations.end()) {
            stations.push_back(*station);
        }
    };
    add(neighbour.source);
    add(mac_address_in(neighbour.lldpdu.chassis_id,
                       static_cast<uint8_t>(ChassisIdSubtype::mac_address)));
    add(mac_address_in(neighbour.lldpdu.port_id, static_cast<uint8_t>(PortIdSubtype::mac_address)));
    return stations;
}

bool NeighbourTable::has_room_for(const Lldpdu& lldpdu, Destination to) const {
    std::size_t known = 0;
    for (const Neighbour& neighbour : neighbours_) {
        if (is_from(neighbour, lldpdu, to)) return true;
        known += neighbour.to == to ? 1U : 0U;
    }
    return lldpdu.ttl == 0 || known < most_neighbours;
}

std::optional<NeighbourChange> NeighbourTable::receive(MacAddress source, const Lldpdu& lldpdu,
                                                       Nanos now, Destination to) {
    const auto found = std::ranges::find_if(
        neighbours_, [&](const Neighbour& neighbour) { return is_from(neighbour, lldpdu, to); });
    if (lldpdu.ttl == 0) {
        if (found == neighbours_.end()) return {};
        NeighbourChange change{NeighbourEvent::removed, std::move(*found)};
        neighbours_.erase(found);
        return change;
    }
    Neighbour next{source, lldpdu, now, now + lifetime_of(lldpdu), to};
    if (found == neighbours_.end()) {
        assert(has_room_for(lldpdu, to));
        neighbours_.push_back(next);
        return NeighbourChange{NeighbourEvent::added, std::move(next)};
    }
    next.since = found->since;
    const bool is_changed = !same_content(*found, next);
    *found = std::move(next);
    if (!is_changed) return {};
    return NeighbourChange{NeighbourEvent::changed, *found};
}

void NeighbourTable::refuse(const Lldpdu& lldpdu, Nanos now) {
    too_many_until_ = std::max(too_many_until_, now + lifetime_of(lldpdu));
}

NeighbourChanges NeighbourTable::expire(Nanos now) {
    NeighbourChanges changes;
    const auto gone = std::ranges::stable_partition(
        neighbours_, [&](const Neighbour& neighbour) { return neighbour.expires > now; });
    for (Neighbour& neighbour : gone) {
        changes.push_back({NeighbourEvent::removed, std::move(neighbour)});
    }
    neighbours_.erase(gone.begin(), gone.end());
    return changes;
}

NeighbourChanges NeighbourTable::clear() {
    NeighbourChanges changes;
    for (Neighbour& neighbour : neighbours_) {
        changes.push_back({NeighbourEvent::removed, std::move(neighbour)});
    }
    neighbours_.clear();
    too_many_until_ = Nanos(0);
    return changes;
}

Nanos NeighbourTable::deadline() const {
    Nanos next = never;
    for (const Neighbour& neighbour : neighbours_) next = std::min(next, neighbour.expires);
    return next;
}

}  // namespace sluice::lldp

#include "dataplane/forward/multicast/memberships.h"

#include <algorithm>
#include <bit>

#include "dataplane/forward/multicast/membership_message.h"

namespace sluice {
namespace {

constexpr std::size_t steps_a_call = 16;
constexpr Nanos ageing_round{100'000'000};  // no oftener

VlanId vlan_in(GroupTable::Key key) {
    return static_cast<VlanId>(static_cast<uint64_t>(key) >> 48 & 0xFFF);
}

// Those of `ports` whose time, as `deadline_of` knows it, has come.
template <class Deadlines>
PortSet due(PortSet ports, Nanos now, Deadlines deadline_of) {
    PortSet found = 0;
    for_each_port(ports, [&](PortIndex port) {
        if (deadline_of(port) <= now) found |= only(port);
    });
    return found;
}

}  // namespace

Memberships::Memberships(const Settings& settings)
    : groups_(settings.multicast.capacity, settings.fdb.hash_seed),
      ports_(settings.ports.size()),
      kept_(settings.multicast.capacity),
      deadlines_(std::size_t{settings.multicast.capacity} * ports_),
      router_deadlines_(max_vlans * ports_),
      routers_(std::make_unique<std::atomic<PortSet>[]>(max_vlans)) {}

bool Memberships::listens_to(Key group) const {
    const auto protocol = protocol_of(Fdb::address_of(group));
    const bool ethernet = static_cast<uint64_t>(group) >> 60 == 0;
    return ethernet && protocol && (snooping_[vlan_in(group)] & only_protocol(*protocol)) != 0;
}

// --- reports and queries -------------------------------------------------------------------------

void Memberships::join(Key group, PortIndex port, bool lasting, Nanos now) {
    if (!listens_to(group)) return;
    Number number = groups_.number_of(group);
    if (number == GroupTable::none) {
        number = groups_.add(group, only(port), 0);
        if (number == GroupTable::none) return full_.add(1);
        kept_[number] = {};
    }
    Group& kept = kept_[number];
    deadline(number, port) = now + ageing_;
    if (lasting) kept.lasts = now + ageing_;
    groups_.set_last_report(number, now);
    if ((kept.joined & only(port)) != 0) return;
    kept.joined |= only(port);
    publish(number);
}

void Memberships::leave(Key group, PortIndex port, Nanos now) {
    const Number number = groups_.number_of(group);
    if (number == GroupTable::none || (kept_[number].joined & only(port)) == 0) return;
    if (now < kept_[number].lasts) return;
    if (fast_leave_) return part(number, only(port));
    deadline(number, port) = std::min(deadline(number, port), now + leaving_);
}

void Memberships::note_router(VlanId vlan, PortIndex port, Nanos now) {
    if (snooping_[vlan] == 0) return;
    router_deadline(vlan, port) = now + ageing_;
    set_routers(vlan, routers(vlan) | only(port));
}

// --- what is over --------------------------------------------------------------------------------

void Memberships::publish(Number number) {
    const Group& kept = kept_[number];
    const PortSet ports = kept.joined | kept.fixed;
    if (ports == 0) return groups_.remove(number);
    groups_.set_ports(number, ports, kept.fixed);
}

void Memberships::part(Number number, PortSet ports) {
    if ((kept_[number].joined & ports) == 0) return;
    kept_[number].joined &= ~ports;
    publish(number);
}

void Memberships::set_routers(std::size_t vlan, PortSet ports) {
    const bool before = routers_[vlan].load(std::memory_order_relaxed) != 0;
    if (ports != 0 && !before) ++vlans_with_routers_;
    if (ports == 0 && before) --vlans_with_routers_;
    routers_[vlan].store(ports, std::memory_order_relaxed);
}

void Memberships::forget_ports(PortSet ports) {
    if (holds_nothing()) return;
    for (Number number = 0; number < groups_.capacity(); ++number) {
        if (groups_.key_at(number) != Key{}) part(number, ports);
    }
    for (VlanId vlan = 0; vlan < max_vlans; ++vlan) set_routers(vlan, routers(vlan) & ~ports);
}

void Memberships::forget_vlan(VlanId vlan) {
    for (Number number = 0; number < groups_.capacity(); ++number) {
        const Key key = groups_.key_at(number);
        if (key != Key{} && vlan_in(key) == vlan) part(number, kept_[number].joined);
    }
    set_routers(vlan, 0);
}

void Memberships::age(Nanos now) {
    if (holds_nothing()) return;
    if (ageing_at_ == 0) {
        if (now < next_round_) return;
        next_round_ = now + ageing_round;
    }
    const std::size_t steps = groups_.capacity() + max_vlans;
    const std::size_t end = std::min(ageing_at_ + steps_a_call, steps);
    for (; ageing_at_ < end; ++ageing_at_) {
        if (ageing_at_ < groups_.capacity()) {
            age_group(static_cast<Number>(ageing_at_), now);
        } else {
            age_routers(ageing_at_ - groups_.capacity(), now);
        }
    }
    if (ageing_at_ == steps) ageing_at_ = 0;
}

void Memberships::age_group(Number number, Nanos now) {
    if (groups_.key_at(number) == Key{}) return;
    part(number,
         due(kept_[number].joined, now, [&](PortIndex port) { return deadline(number, port); }));
}

void Memberships::age_routers(std::size_t vlan, Nanos now) {
    const PortSet known = routers(static_cast<VlanId>(vlan));
    if (known == 0) return;
    const PortSet gone =
        due(known, now, [&](PortIndex port) { return router_deadline(vlan, port); });
    set_routers(vlan, known & ~gone);
}

// --- what the settings say -----------------------------------------------------------------------

// A group that stays is there all the while; what is new comes once there may be room.
void Memberships::configure(const Settings& settings, const Bridge& bridge) {
    const MulticastSettings& multicast = settings.multicast;
    snooping_ = multicast.snooping;
    fast_leave_ = multicast.fast_leave;
    ageing_ = multicast.ageing;
    leaving_ = multicast.leaving;
    const auto key_of = [&](const StaticGroup& group) {
        const auto first = static_cast<std::size_t>(std::countr_zero(group.ports));
        return Fdb::key_of(settings.ports[first].format.family, group.vlan, group.address);
    };
    for (Group& kept : kept_) kept.fixed = 0;
    for (const StaticGroup& group : multicast.groups) {
        const Number number = groups_.number_of(key_of(group));
        const PortSet ports = bridge.aggregations.bridge_ports(group.ports);
        if (number != GroupTable::none) kept_[number].fixed = ports;
    }
    forget_what_does_not_hold(bridge.vlans);
    for (const StaticGroup& group : multicast.groups) {
        add_static(bridge.aggregations.bridge_ports(group.ports), key_of(group));
    }
}

void Memberships::forget_what_does_not_hold(const VlanTable& vlans) {
    for (Number number = 0; number < groups_.capacity(); ++number) {
        const Key key = groups_.key_at(number);
        if (key == Key{}) continue;
        kept_[number].joined &= listens_to(key) ? vlans.members(vlan_in(key)) : 0;
        publish(number);
    }
    for (VlanId vlan = 0; vlan < max_vlans; ++vlan) {
        const PortSet members = snooping_[vlan] != 0 ? vlans.members(vlan) : 0;
        set_routers(vlan, routers(vlan) & members);
    }
}

void Memberships::add_static(PortSet ports, Key key) {
    if (groups_.number_of(key) != GroupTable::none) return;
    Number number = groups_.add(key, ports, ports);
    if (number == GroupTable::none && make_room()) {
        number = groups_.add(key, ports, ports);
    }
    if (number == GroupTable::none) return full_.add(1);
    kept_[number] = {.joined = 0, .fixed = ports, .lasts = Nanos(0)};
}

// The table is full: a learned group goes, if there is one.
bool Memberships::make_room() {
    for (Number looked = 0; looked < groups_.capacity(); ++looked) {
        const Number number = room_at_;
        room_at_ = (room_at_ + 1) % groups_.capacity();
        if (kept_[number].fixed != 0) continue;
        full_.add(1);
        part(number, kept_[number].joined);
        return true;
    }
    return false;
}

}  // namespace sluice

#include "dataplane/forward/multicast/memberships.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace sluice {
namespace {

constexpr std::size_t steps_a_call = 16;
constexpr Nanos ageing_round{100'000'000};  // shortest time between rounds

VlanId vlan_in(GroupTable::Key key) {
    return static_cast<VlanId>(static_cast<uint64_t>(key) >> 48 & 0xFFF);
}

// Returns the ports of `ports` whose deadline, by `deadline_of`, has passed.
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
      wanted_(std::size_t{settings.multicast.capacity} * 4),
      deadlines_(std::size_t{settings.multicast.capacity} * ports_),
      router_deadlines_(max_vlans * ports_),
      routers_(std::make_unique<std::atomic<PortSet>[]>(max_vlans)) {
    for (SourceNumber number = 0; number + 1 < wanted_.size(); ++number) {
        wanted_[number].next = number + 1;
    }
}

bool Memberships::listens_to(Key group) const {
    const auto protocol = protocol_of(Fdb::address_of(group));
    const bool ethernet = static_cast<uint64_t>(group) >> 60 == 0;
    return ethernet && protocol && (snooping_[vlan_in(group)] & only_protocol(*protocol)) != 0;
}

// --- reports and queries -------------------------------------------------------------------------

Memberships::Number Memberships::number_for(Key group, PortIndex port, Nanos now) {
    Number number = groups_.number_of(group);
    if (number == GroupTable::none) {
        number = groups_.add(group, only(port), 0);
        if (number == GroupTable::none) {
            full_.add(1);
            return number;
        }
        kept_[number] = {};
    }
    groups_.set_last_report(number, now);
    return number;
}

void Memberships::add_port(Number number, PortIndex port) {
    Group& kept = kept_[number];
    if ((kept.joined & only(port)) != 0) return;
    kept.joined |= only(port);
    publish(number);
}

void Memberships::join(Key group, PortIndex port, bool lasting, Nanos now) {
    if (!listens_to(group)) return;
    const Number number = number_for(group, port, now);
    if (number == GroupTable::none) return;
    deadline(number, port) = now + ageing_;
    if (lasting) kept_[number].lasts = now + ageing_;
    add_port(number, port);
}

void Memberships::leave(Key group, PortIndex port, Nanos now) {
    const Number number = groups_.number_of(group);
    if (number == GroupTable::none || (kept_[number].joined & only(port)) == 0) return;
    if (now < kept_[number].lasts) return;
    if (fast_leave_) return part(number, only(port));
    shorten(number, port, now);
}

// --- sources -------------------------------------------------------------------------------------

template <class IsOver>
PortSet Memberships::forget_sources(Number number, IsOver is_over) {
    PortSet others = 0;
    for (SourceNumber* at = &kept_[number].wanted; *at != no_source;) {
        const SourceNumber looked = *at;
        Wanted& wanted = wanted_[looked];
        if (is_over(wanted)) {
            *at = wanted.next;
            wanted.next = free_source_;
            free_source_ = looked;
            sources_.subtract(1);
        } else {
            others |= only(wanted.port);
            at = &wanted.next;
        }
    }
    return others;
}

void Memberships::want(Key group, const GroupSource& source, PortIndex port, Nanos now) {
    if (!listens_to(group)) return;
    const Number number = number_for(group, port, now);
    if (number == GroupTable::none) return;
    if ((kept_[number].joined & only(port)) == 0) deadline(number, port) = now;
    add_port(number, port);
    std::size_t at_port = 0;
    for (SourceNumber at = kept_[number].wanted; at != no_source; at = wanted_[at].next) {
        Wanted& wanted = wanted_[at];
        if (wanted.port != port) continue;
        if (wanted.source == source) {
            wanted.until = now + ageing_;
            return;
        }
        ++at_port;
    }
    if (at_port == most_sources || free_source_ == no_source) {
        sources_full_.add(1);
        deadline(number, port) = now + ageing_;
        return;
    }
    const SourceNumber place = free_source_;
    assert(place < wanted_.size() && sources_.value() < wanted_.size());
    free_source_ = wanted_[place].next;
    wanted_[place] = {source, now + ageing_, port, kept_[number].wanted};
    kept_[number].wanted = place;
    sources_.add(1);
}

// Shortens the port's times to `leaving`, in which other listeners at the port can report.
void Memberships::shorten(Number number, PortIndex port, Nanos now) {
    deadline(number, port) = std::min(deadline(number, port), now + leaving_);
    for (SourceNumber at = kept_[number].wanted; at != no_source; at = wanted_[at].next) {
        Wanted& wanted = wanted_[at];
        if (wanted.port == port) wanted.until = std::min(wanted.until, now + leaving_);
    }
}

void Memberships::narrow(Key group, PortIndex port, Nanos now) {
    const Number number = groups_.number_of(group);
    if (number == GroupTable::none || (kept_[number].joined & only(port)) == 0) return;
    if (now >= kept_[number].lasts) shorten(number, port, now);
}

void Memberships::block(Key group, const GroupSource& source, PortIndex port, Nanos now) {
    const Number number = groups_.number_of(group);
    if (number == GroupTable::none || now < kept_[number].lasts) return;
    if (!fast_leave_) {
        for (SourceNumber at = kept_[number].wanted; at != no_source; at = wanted_[at].next) {
            Wanted& wanted = wanted_[at];
            if (wanted.port == port && wanted.source == source) {
                wanted.until = std::min(wanted.until, now + leaving_);
            }
        }
        return;
    }
    const PortSet wanting = forget_sources(number, [&](const Wanted& wanted) {
        return wanted.port == port && wanted.source == source;
    });
    const bool wants_all = deadline(number, port) > now;
    if ((wanting & only(port)) == 0 && !wants_all) part(number, only(port));
}

void Memberships::note_router(VlanId vlan, PortIndex port, Nanos now) {
    if (snooping_[vlan] == 0) return;
    router_deadline(vlan, port) = now + ageing_;
    set_routers(vlan, routers(vlan) | only(port));
}

// --- removal -------------------------------------------------------------------------------------

void Memberships::publish(Number number) {
    const Group& kept = kept_[number];
    const PortSet ports = kept.joined | kept.fixed;
    if (ports == 0) {
        assert(kept.wanted == no_source && "nobody wants a source of it");
        return groups_.remove(number);
    }
    groups_.set_ports(number, ports, kept.fixed);
}

void Memberships::part(Number number, PortSet ports) {
    if ((kept_[number].joined & ports) == 0) return;
    kept_[number].joined &= ~ports;
    forget_sources(number, [&](const Wanted& wanted) { return (only(wanted.port) & ports) != 0; });
    publish(number);
}

void Memberships::set_routers(std::size_t vlan, PortSet ports) {
    const bool before = routers_[vlan].load(std::memory_order_relaxed) != 0;
    if (ports != 0 && !before) ++vlans_with_routers_;
    assert(!before || vlans_with_routers_ > 0);
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
    const PortSet wanting =
        forget_sources(number, [&](const Wanted& wanted) { return wanted.until <= now; });
    part(number, due(kept_[number].joined & ~wanting, now,
                     [&](PortIndex port) { return deadline(number, port); }));
}

void Memberships::age_routers(std::size_t vlan, Nanos now) {
    const PortSet known = routers(static_cast<VlanId>(vlan));
    if (known == 0) return;
    const PortSet gone =
        due(known, now, [&](PortIndex port) { return router_deadline(vlan, port); });
    set_routers(vlan, known & ~gone);
}

// --- settings ------------------------------------------------------------------------------------

// Static groups that stay remain readable throughout. New groups are added last, when removed ones
// have made room.
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
        const PortSet holds = listens_to(key) ? vlans.members(vlan_in(key)) : 0;
        kept_[number].joined &= holds;
        forget_sources(number,
                       [&](const Wanted& wanted) { return (only(wanted.port) & ~holds) != 0; });
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
    kept_[number] = {.joined = 0, .fixed = ports, .lasts = Nanos(0), .wanted = no_source};
}

// Removes a learned group from the full table. Returns false if every group is static.
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

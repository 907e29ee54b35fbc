#include "control/lacp/aggregator.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace sluice::lacp {

namespace {

constexpr uint16_t port_priority = 32768;

}  // namespace

Aggregator::Aggregator(const AggregatorSettings& settings, PortSet members,
                       std::span<const MacAddress> addresses)
    : settings_(settings) {
    for_each_port(members, [&](PortIndex port) { add(port, addresses[port]); });
}

// Port numbers begin at 1: 0 is no port (802.1AX-2014 6.3.4).
PortInfo Aggregator::actor_of(PortIndex port) const {
    PortInfo actor{.system_priority = settings_.system_priority,
                   .system = settings_.system,
                   .key = settings_.key,
                   .port_priority = port_priority,
                   .port = static_cast<uint16_t>(port + 1),
                   .state = state_bits::aggregation};
    actor.set(state_bits::activity, settings_.active);
    actor.set(state_bits::timeout, settings_.short_timeout);
    return actor;
}

void Aggregator::configure(const AggregatorSettings& settings) {
    settings_ = settings;
    for (Member& member : members_) member.port.configure(actor_of(member.number));
}

void Aggregator::add(PortIndex port, MacAddress address) {
    add({.number = port, .port = Port(actor_of(port), address)});
}

void Aggregator::add(Member member) {
    assert((ports_ & only(member.number)) == 0);
    ports_ |= only(member.number);
    member.port.configure(actor_of(member.number));
    const auto place = std::ranges::lower_bound(members_, member.number, {}, &Member::number);
    members_.insert(place, std::move(member));
}

Aggregator::Member Aggregator::remove(PortIndex port) {
    const auto place = std::ranges::find(members_, port, &Member::number);
    assert(place != members_.end());
    Member member = std::move(*place);
    members_.erase(place);
    ports_ &= ~only(port);
    return member;
}

void Aggregator::set_link(PortIndex port, bool up, BitsPerSecond speed, Nanos now) {
    assert((ports_ & only(port)) != 0);
    Member& member = *std::ranges::find(members_, port, &Member::number);
    member.speed = speed;
    member.port.set_link(up, now);
}

void Aggregator::receive(PortIndex port, std::span<const uint8_t> frame, Nanos now) {
    assert((ports_ & only(port)) != 0);
    std::ranges::find(members_, port, &Member::number)->port.receive(frame, now);
}

// A port that lost its selection detaches before it is selected anew.
std::vector<Change> Aggregator::advance(Nanos now) {
    for (Member& member : members_) {
        member.port.expire(now);
        if (!member.port.selected()) member.port.advance(false, now);
    }
    std::vector<Reason> before;
    std::ranges::transform(members_, std::back_inserter(before), &Member::why);
    select();
    for (Member& member : members_) member.port.advance(false, now);
    const bool ready = std::ranges::all_of(members_, [&](const Member& member) {
        const MuxMachine& mux = member.port.mux();
        return mux.state() != MuxMachine::State::waiting || mux.has_waited(now);
    });
    std::vector<Change> changes;
    for (std::size_t index = 0; index < members_.size(); ++index) {
        Member& member = members_[index];
        member.port.advance(ready, now);
        if (member.why == Reason::none) member.why = progress(member);
        add_change(member, before[index], changes);
    }
    return changes;
}

void Aggregator::add_change(Member& member, Reason before, std::vector<Change>& changes) {
    const bool attached = member.port.mux().sends();
    const Change change{.port = member.number, .why = member.why, .partner = member.port.partner()};
    if (std::exchange(member.attached, attached) != attached) {
        changes.push_back(change);
        changes.back().what = attached ? ChangeKind::attached : ChangeKind::detached;
    }
    if (is_refusal(member.why) && member.why != before) {
        changes.push_back(change);
        changes.back().what = ChangeKind::refused;
    }
}

// --- selection -----------------------------------------------------------------------------------

Aggregator::Group Aggregator::group_of(const Member& member) {
    const PortInfo& partner = member.port.partner();
    return {.system = partner.system,
            .system_priority = partner.system_priority,
            .key = partner.key,
            .speed = member.speed};
}

Reason Aggregator::unfit(const Member& member) const {
    if (!member.port.enabled()) return Reason::link_down;
    if (!member.port.knows_partner()) return Reason::no_partner;
    if (member.port.partner().system == settings_.system) return Reason::own_system;
    return member.port.partner().has(state_bits::aggregation) ? Reason::none : Reason::individual;
}

void Aggregator::select() {
    for (Member& member : members_) member.why = unfit(member);
    const bool stays = chosen_ && std::ranges::any_of(members_, [&](const Member& member) {
                           return member.why == Reason::none && group_of(member) == *chosen_;
                       });
    if (!stays) chosen_ = best_group();
    for (Member& member : members_) {
        assert(member.why != Reason::none || chosen_);
        if (member.why == Reason::none) member.why = difference(group_of(member), *chosen_);
        member.port.select(member.why == Reason::none);
    }
}

std::optional<Aggregator::Group> Aggregator::best_group() const {
    std::optional<Group> best;
    int64_t most = -1;
    for (const Member& first : members_) {
        if (first.why != Reason::none) continue;
        const Group group = group_of(first);
        const auto ports = std::ranges::count_if(members_, [&](const Member& member) {
            return member.why == Reason::none && group_of(member) == group;
        });
        const int64_t carries = ports * std::max<int64_t>(1, group.speed.count());
        if (carries <= most) continue;
        most = carries;
        best = group;
    }
    return best;
}

Reason Aggregator::difference(const Group& group, const Group& chosen) {
    if (group == chosen) return Reason::none;
    if (group.system != chosen.system || group.system_priority != chosen.system_priority) {
        return Reason::other_partner;
    }
    return group.key != chosen.key ? Reason::other_key : Reason::other_speed;
}

// Returns why a selected port is not attached; `none` if the port is attached.
Reason Aggregator::progress(const Member& member) {
    if (member.port.receive_machine().state() == ReceiveMachine::State::expired) {
        return Reason::silent;
    }
    switch (member.port.mux().state()) {
        case MuxMachine::State::distributing:
            return Reason::none;
        case MuxMachine::State::collecting:
            return Reason::not_collecting;
        case MuxMachine::State::attached:
            return Reason::out_of_sync;
        default:
            return Reason::waits;
    }
}

PortSet Aggregator::taking() const {
    PortSet ports = 0;
    for (const Member& member : members_) {
        if (member.port.mux().takes()) ports |= only(member.number);
    }
    return ports;
}

PortSet Aggregator::sending() const {
    PortSet ports = 0;
    for (const Member& member : members_) {
        if (member.port.mux().sends()) ports |= only(member.number);
    }
    return ports;
}

}  // namespace sluice::lacp

#include "control/lacp/manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "config/yaml/values.h"
#include "control/bridge_address.h"

namespace sluice::control {

namespace {

using lacp::Reason;

std::string reason_text(Reason why, const lacp::PortInfo& partner) {
    const std::string system = config::format_address(partner.system);
    switch (why) {
        case Reason::link_down:
            return "it is down";
        case Reason::no_partner:
            return "the peer does not speak LACP";
        case Reason::own_system:
            return "the cable leads back to this switch";
        case Reason::individual:
            return fmt::format("{} keeps that port out of any aggregation", system);
        case Reason::other_partner:
            return fmt::format("the peer is {}, that of the other members another", system);
        case Reason::other_key:
            return fmt::format("{} has the port in another aggregation, of key {}", system,
                               partner.key);
        case Reason::other_speed:
            return "its speed differs from that of the other members";
        case Reason::silent:
            return fmt::format("{} is silent", system);
        case Reason::out_of_sync:
            return fmt::format("{} has the port in no aggregation", system);
        case Reason::not_collecting:
            return fmt::format("{} does not collect frames there", system);
        default:
            return "actor or partner identity changed";
    }
}

Event event_of(const lacp::Change& change) {
    const std::string why = reason_text(change.why, change.partner);
    switch (change.what) {
        case lacp::ChangeKind::attached:
            return notice(
                "lacp_attached", change.port,
                fmt::format("attached: carries frames to {}, key {}",
                            config::format_address(change.partner.system), change.partner.key));
        case lacp::ChangeKind::detached:
            return warning("lacp_detached", change.port, fmt::format("detached: {}", why));
        default:
            return warning("lacp_refused", change.port, fmt::format("carries no frames: {}", why));
    }
}

}  // namespace

LacpManager::LacpManager(Switch& dataplane, const config::Configuration& configuration,
                         EventSink& events)
    : dataplane_(dataplane),
      events_(events),
      system_(bridge_address(configuration)),
      links_(configuration.ports.size()) {
    regroup(configuration, Nanos(0));
}

std::vector<lacp::Wanted> LacpManager::wanted_by(const config::Configuration& configuration) const {
    std::vector<lacp::Wanted> wanted;
    for (const config::AggregationConfig& about : configuration.aggregations) {
        if (about.lacp.mode == config::LacpMode::off) continue;
        wanted.push_back({.settings = {.active = about.lacp.mode == config::LacpMode::active,
                                       .short_timeout = about.lacp.short_timeout,
                                       .system_priority = about.lacp.system_priority,
                                       .system = system_},
                          .ports = about.members});
    }
    return wanted;
}

void LacpManager::prepare(const config::Configuration& next) {
    const std::vector<lacp::Wanted> wanted = wanted_by(next);
    const lacp::Predecessors was = lacp::predecessors(aggregators_, wanted);
    PortSet coming = 0;
    for (std::size_t index = 0; index < wanted.size(); ++index) {
        coming |= wanted[index].ports & ~(was[index] ? aggregators_[*was[index]].ports() : 0);
    }
    update_dataplane(coming);
}

void LacpManager::configure(const config::Configuration& configuration, Nanos now) {
    report(regroup(configuration, now), now);
}

std::vector<lacp::Change> LacpManager::regroup(const config::Configuration& configuration,
                                               Nanos now) {
    std::vector<MacAddress> addresses;
    admin_down_ = 0;
    for (PortIndex port = 0; port < links_.size(); ++port) {
        const PortSettings& about = configuration.settings.ports[port];
        addresses.push_back(about.address);
        if (!about.enabled) admin_down_ |= only(port);
    }
    lacp::Regrouped regrouped =
        lacp::regroup(std::exchange(aggregators_, {}), wanted_by(configuration), addresses);
    aggregators_ = std::move(regrouped.aggregators);
    begun_ = regrouped.begun;
    for (const lacp::Aggregator::Member& member : regrouped.gone) send_last_lacpdu(member);
    for (lacp::Aggregator& aggregator : aggregators_) {
        for (const lacp::Aggregator::Member& member : aggregator.members()) {
            const PortIndex port = member.number;
            if (!is_up(port)) send_last_lacpdu(member);
            aggregator.set_link(port, is_up(port), links_[port].speed, now);
        }
    }
    return advance(now);
}

bool LacpManager::is_up(PortIndex port) const {
    return links_[port].up && (admin_down_ & only(port)) == 0;
}

void LacpManager::set_link(PortIndex port, Link link, Nanos now) {
    links_[port] = link;
    lacp::Aggregator* const aggregator = find(port);
    if (aggregator == nullptr) return;
    aggregator->set_link(port, is_up(port), link.speed, now);
    tick(now);
}

void LacpManager::tick(Nanos now) { report(advance(now), now); }

void LacpManager::report(const std::vector<lacp::Change>& changes, Nanos now) {
    for (const lacp::Change& change : changes) events_.report(event_of(change), now);
}

std::vector<lacp::Change> LacpManager::advance(Nanos now) {
    std::vector<lacp::Change> changes;
    for (lacp::Aggregator& aggregator : aggregators_) {
        receive(aggregator, now);
        std::ranges::copy(aggregator.advance(now), std::back_inserter(changes));
    }
    update_dataplane();
    // LACPDUs are sent after the update of the dataplane, so that `collecting` is true when a
    // partner receives the LACPDU.
    for (lacp::Aggregator& aggregator : aggregators_) send(aggregator, now);
    return changes;
}

void LacpManager::stop(Nanos) {
    for (const lacp::Aggregator& aggregator : aggregators_) {
        for (const lacp::Aggregator::Member& member : aggregator.members()) {
            send_last_lacpdu(member);
        }
    }
}

// Sends nothing on a port without a link, because such a port has no partner.
void LacpManager::send_last_lacpdu(const lacp::Aggregator::Member& member) {
    if (!member.port.knows_partner()) return;
    dataplane_.send_for_control(member.number, member.port.farewell());
}

lacp::Aggregator* LacpManager::find(PortIndex port) {
    const auto found = std::ranges::find_if(aggregators_, [&](const lacp::Aggregator& aggregator) {
        return (aggregator.ports() & only(port)) != 0;
    });
    return found == aggregators_.end() ? nullptr : &*found;
}

void LacpManager::receive(lacp::Aggregator& aggregator, Nanos now) {
    for_each_port(aggregator.ports(), [&](PortIndex port) {
        Mailbox& box = dataplane_.received(port, ControlProtocol::lacp);
        for (uint32_t frames = 0; frames < Mailbox::slots && !box.front().empty(); ++frames) {
            aggregator.receive(port, box.front(), now);
            box.pop();
        }
    });
}

// If the mailbox has no room for a frame, the frame is sent at the next call.
void LacpManager::send(lacp::Aggregator& aggregator, Nanos now) {
    for (lacp::Aggregator::Member& member : aggregator.members()) {
        while (const auto frame = member.port.next_frame(now)) {
            const bool went = dataplane_.send_for_control(member.number, *frame);
            member.port.sent(*frame, went);
            if (!went) break;
        }
    }
}

void LacpManager::update_dataplane(PortSet held) {
    PortSet takes_none = held;
    PortSet sends_none = held;
    for (const lacp::Aggregator& aggregator : aggregators_) {
        takes_none |= aggregator.ports() & ~aggregator.taking();
        sends_none |= aggregator.ports() & ~aggregator.sending();
    }
    dataplane_.set_lacp_detached(takes_none, sends_none);
}

}  // namespace sluice::control

#include "control/lacp/manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "config/yaml/values.h"
#include "control/bridge_address.h"

namespace sluice::control {

namespace {

using lacp::Reason;

// A key tells the aggregations of a system apart; 0 is none (802.1AX-2014 6.3.5).
lacp::AggregatorSettings settings_of(const config::Configuration& configuration,
                                     std::size_t index) {
    const config::LacpConfig& about = configuration.aggregations[index].lacp;
    return {.active = about.mode == config::LacpMode::active,
            .short_timeout = about.short_timeout,
            .system_priority = about.system_priority,
            .system = bridge_address(configuration),
            .key = static_cast<uint16_t>(index + 1)};
}

std::string reason_text(Reason why, const lacp::PortInfo& partner) {
    const std::string system = config::format_address(partner.system);
    switch (why) {
        case Reason::link_down:
            return "its link is down";
        case Reason::no_partner:
            return "nobody speaks LACP at its other end";
        case Reason::own_system:
            return "its cable leads back to this switch";
        case Reason::individual:
            return fmt::format("{} keeps that port out of any aggregation", system);
        case Reason::other_partner:
            return fmt::format("it leads to {}, and the others elsewhere", system);
        case Reason::other_key:
            return fmt::format("{} has it in another aggregation, of key {}", system, partner.key);
        case Reason::other_speed:
            return "it has another speed than the others";
        case Reason::silent:
            return fmt::format("{} has fallen silent", system);
        case Reason::out_of_sync:
            return fmt::format("{} has it in no aggregation", system);
        case Reason::not_collecting:
            return fmt::format("{} does not take frames there", system);
        default:
            return "its partner is another";
    }
}

LacpEvent event_of(const lacp::Change& change) {
    const std::string why = reason_text(change.why, change.partner);
    switch (change.what) {
        case lacp::ChangeKind::attached:
            return {change.port, false, "lacp_attached",
                    fmt::format("attached: carries frames to {}, key {}",
                                config::format_address(change.partner.system), change.partner.key)};
        case lacp::ChangeKind::detached:
            return {change.port, true, "lacp_detached", fmt::format("detached: {}", why)};
        default:
            return {change.port, true, "lacp_refused", fmt::format("carries no frames: {}", why)};
    }
}

}  // namespace

LacpManager::LacpManager(Switch& dataplane, const config::Configuration& configuration)
    : dataplane_(dataplane), links_(configuration.ports.size()) {
    for (std::size_t port = 0; port < links_.size(); ++port) {
        event_limits_.emplace_back().configure(1, event_burst);
    }
    configure(configuration, Nanos(0));
}

std::vector<LacpEvent> LacpManager::configure(const config::Configuration& configuration,
                                              Nanos now) {
    std::vector<MacAddress> addresses;
    for (const PortSettings& port : configuration.settings.ports) addresses.push_back(port.address);
    std::vector<lacp::Aggregator> before = std::exchange(aggregators_, {});
    for (std::size_t index = 0; index < configuration.aggregations.size(); ++index) {
        const config::AggregationConfig& about = configuration.aggregations[index];
        if (about.lacp.mode == config::LacpMode::off) continue;
        const auto known = std::ranges::find(before, about.members, &lacp::Aggregator::ports);
        if (known != before.end()) {
            aggregators_.push_back(std::move(*known));
            aggregators_.back().configure(settings_of(configuration, index));
            continue;
        }
        lacp::Aggregator& made =
            aggregators_.emplace_back(settings_of(configuration, index), about.members, addresses);
        for_each_port(about.members, [&](PortIndex port) {
            made.set_link(port, links_[port].up, links_[port].speed, now);
        });
    }
    return proceed(now);
}

std::vector<LacpEvent> LacpManager::set_link(PortIndex port, bool up, BitsPerSecond speed,
                                             Nanos now) {
    links_[port] = {up, speed};
    lacp::Aggregator* const aggregator = find(port);
    if (aggregator == nullptr) return {};
    aggregator->set_link(port, up, speed, now);
    return proceed(now);
}

std::vector<LacpEvent> LacpManager::proceed(Nanos now) {
    std::vector<LacpEvent> events;
    for (lacp::Aggregator& aggregator : aggregators_) {
        hear(aggregator, now);
        for (const lacp::Change& change : aggregator.advance(now)) {
            if (event_limits_[change.port].takes(now)) events.push_back(event_of(change));
        }
    }
    tell_dataplane();
    // After that, so that whoever is told that we collect finds it true.
    for (lacp::Aggregator& aggregator : aggregators_) send(aggregator, now);
    return events;
}

void LacpManager::stop() {
    for (const lacp::Aggregator& aggregator : aggregators_) {
        for (const lacp::Aggregator::Member& member : aggregator.members()) {
            if (!member.port.knows_partner()) continue;
            dataplane_.send_for_control(member.number, member.port.farewell());
        }
    }
}

lacp::Aggregator* LacpManager::find(PortIndex port) {
    const auto found = std::ranges::find_if(aggregators_, [&](const lacp::Aggregator& aggregator) {
        return (aggregator.ports() & only(port)) != 0;
    });
    return found == aggregators_.end() ? nullptr : &*found;
}

void LacpManager::hear(lacp::Aggregator& aggregator, Nanos now) {
    for_each_port(aggregator.ports(), [&](PortIndex port) {
        Mailbox& box = dataplane_.heard(port, ControlProtocol::lacp);
        for (uint32_t frames = 0; frames < Mailbox::slots && !box.front().empty(); ++frames) {
            aggregator.receive(port, box.front(), now);
            box.pop();
        }
    });
}

// A frame that finds no room is tried again the next time.
void LacpManager::send(lacp::Aggregator& aggregator, Nanos now) {
    for (lacp::Aggregator::Member& member : aggregator.members()) {
        while (const auto frame = member.port.next_frame(now)) {
            const bool went = dataplane_.send_for_control(member.number, *frame);
            member.port.sent(*frame, went);
            if (!went) break;
        }
    }
}

void LacpManager::tell_dataplane() {
    PortSet takes_none = 0;
    PortSet sends_none = 0;
    for (const lacp::Aggregator& aggregator : aggregators_) {
        takes_none |= aggregator.ports() & ~aggregator.taking();
        sends_none |= aggregator.ports() & ~aggregator.sending();
    }
    dataplane_.set_lacp_detached(takes_none, sends_none);
}

}  // namespace sluice::control

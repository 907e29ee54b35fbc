#include "control/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include "config/difference.h"
#include "config/yaml/fault.h"
#include "config/yaml/values.h"
#include "control/dcbx/classification.h"
#include "control/dcbx/scheduling.h"
#include "dataplane/buffer/default_levels.h"
#include "dataplane/buffer/dynamic_threshold.h"
#include "dataplane/buffer/headroom.h"
#include "dataplane/credits/credit_terms.h"

namespace sluice::control {

namespace {

int count_of(PrioritySet priorities) { return std::popcount(priorities); }

}  // namespace

Settings in_effect(Settings written) {
    for (PortSettings& port : written.ports) {
        if (!port.enabled) port.pfc.lossless = 0;
    }
    return written;
}

tl::expected<void, std::vector<std::string>> Publisher::adopt(config::Configuration next,
                                                              const Agree& agree) {
    const auto faults = config::difference_needing_restart(running_, next);
    if (!faults.empty()) return tl::unexpected(config::lines_of(faults));
    next.settings.fdb.hash_seed = running_.settings.fdb.hash_seed;
    next.settings.seed = running_.settings.seed;
    for (std::size_t port = 0; port < next.ports.size(); ++port) {
        if (running_.ports[port].vacant != next.ports[port].vacant) {
            link_speeds_[port] = BitsPerSecond(0);
            continue;
        }
        PortSettings& settings = next.settings.ports[port];
        MacAddress& address = settings.address;  // not configured: the device's address is kept
        if (address == MacAddress()) address = running_.settings.ports[port].address;
        if (link_speeds_[port].count() != 0) apply_link_speed(next, port, link_speeds_[port]);
    }
    running_ = std::move(next);
    if (agree) negotiated_ = agree();
    publish();
    return {};
}

void Publisher::link_runs_at(std::size_t port, BitsPerSecond speed) {
    assert(port < running_.ports.size() && port < link_speeds_.size());
    link_speeds_[port] = speed;
    const bool known = speed.count() == 0 || speed == running_.settings.ports[port].speed;
    if (running_.ports[port].speed_written || known) return;
    apply_link_speed(running_, port, speed);
    publish();
}

void Publisher::apply_link_speed(config::Configuration& configuration, std::size_t port,
                                 BitsPerSecond speed) {
    config::PortConfig& about = configuration.ports[port];
    PortSettings& settings = configuration.settings.ports[port];
    if (about.speed_written) return;
    settings.speed = about.needs.speed = about.credit_needs.speed = speed;
    const Levels levels = levels_for(about.needs, about.levels);
    settings.pfc.xoff = levels.xoff;
    settings.pfc.xon = levels.xon;
    const PortSettings before = settings;
    if (!about.headroom_written) settings.pfc.headroom = headroom_for(about.needs);
    if (settings.flow_control == FlowControl::credit) size_credit_buffer(about, settings);
    if (shared_size(configuration.settings).count() > 0) return;
    settings.pfc = before.pfc;
    settings.credit = before.credit;
}

void Publisher::size_credit_buffer(const config::PortConfig& about, PortSettings& settings) {
    if (!about.credit_buffer_written) {
        settings.credit.buffer =
            std::min(credit_buffer_for(about.credit_needs), largest_credit_buffer);
    }
    settings.pfc.reserved = credit_reserve_for(settings.credit.buffer, about.credit_needs,
                                               about.reserved, settings.pfc.headroom);
}

void Publisher::negotiated(std::vector<Negotiated> agreed) {
    if (agreed == negotiated_) return;
    negotiated_ = std::move(agreed);
    publish();
}

void Publisher::neighbours(std::vector<Stations> stations) {
    const std::vector<Stations> before = std::exchange(neighbours_, std::move(stations));
    for (PortIndex port = 0; port < neighbours_.size(); ++port) {
        if (running_.ports[port].strict && neighbours_[port] != before[port]) return publish();
    }
}

void Publisher::publish() {
    assert(negotiated_.size() <= running_.ports.size());
    assert(running_.ports.size() == running_.settings.ports.size());
    const Settings before = std::exchange(effective_, in_effect(running_.settings));
    without_room_ = 0;
    for (PortIndex port = 0; port < negotiated_.size(); ++port) {
        PortSettings& settings = effective_.ports[port];
        const Negotiated& agreed = negotiated_[port];
        settings.dcbx_defence = agreed.dcbx_defence;
        settings.dcbx_held = agreed.dcbx_held;
        if (agreed.ets) settings.scheduler = dcbx::scheduler_of(*agreed.ets);
        if (agreed.applications) dcbx::classify_by(*agreed.applications, settings.classify);
        if (!running_.ports[port].strict) continue;
        for (const MacAddress station : neighbours_[port]) settings.pfc.peers.name(station);
    }
    for (const PortIndex port : by_claim_to_room(before)) make_lossless(port);
    relay_what_both_keep();
    publish_(effective_);
}

// Returns the ports in the order in which they get headroom: first the ports that give headroom
// back, then those that already have it, last those that want more. So one port's peer cannot take
// the headroom of another port's agreement.
std::vector<PortIndex> Publisher::by_claim_to_room(const Settings& before) const {
    const auto rank = [&](PortIndex port) {
        const int wanted = count_of(*negotiated_[port].lossless);
        if (wanted <= count_of(running_.settings.ports[port].pfc.lossless)) return 0;
        return wanted <= count_of(before.ports[port].pfc.lossless) ? 1 : 2;
    };
    std::vector<PortIndex> ports;
    for (PortIndex port = 0; port < negotiated_.size(); ++port) {
        if (negotiated_[port].lossless && running_.settings.ports[port].enabled) {
            ports.push_back(port);
        }
    }
    std::ranges::stable_sort(ports, {}, rank);
    return ports;
}

// Makes the agreed priorities lossless, or the configured ones if the buffer has no headroom for
// the agreed ones.
void Publisher::make_lossless(PortIndex port) {
    PfcSettings& pfc = effective_.ports[port].pfc;
    const PfcSettings written = pfc;
    pfc.lossless = *negotiated_[port].lossless;
    // All ports that pause have the same trigger: that of the ports with configured lossless
    // priorities, if there are any.
    const auto& ports = running_.settings.ports;
    const auto pauses = [](const PortSettings& about) { return about.pfc.lossless != 0; };
    const auto first = std::ranges::find_if(ports, pauses);
    if (first != ports.end()) pfc.trigger = first->pfc.trigger;
    if (shared_size(effective_).count() > 0) return;
    pfc = written;
    without_room_ |= only(port);
}

// If a priority is no longer lossless at one end of a relay, the port at the other end obeys pauses
// of that priority itself, like any port.
void Publisher::relay_what_both_keep() {
    for (PortSettings& port : effective_.ports) {
        PauseRelaySettings& relay = port.pfc.relay;
        if (relay.to == no_relay) continue;
        relay.priorities &= port.pfc.lossless;
        relay.priorities &= effective_.ports[relay.to].pfc.lossless;
    }
}

bool Publisher::short_of_headroom(std::size_t port) const {
    const PfcSettings& pfc = effective_.ports[port].pfc;
    return pfc.lossless != 0 && pfc.headroom < headroom_for(running_.ports[port].needs);
}

std::string Publisher::shortage_of_headroom(std::size_t port) const {
    const Bytes kept = effective_.ports[port].pfc.headroom;
    HeadroomNeeds needs = running_.ports[port].needs;
    const std::string speed = config::format_rate(needs.speed.count());
    const Nanos delay = std::exchange(needs.relay_delay, Nanos(0));
    const bool by_relay = delay.count() != 0 && kept >= headroom_for(needs);
    return fmt::format(
        "{} its lossless priorities need more headroom than {}: raise pfc.headroom, or buffer.size "
        "if pfc.headroom is not configured{}",
        by_relay ? fmt::format("for the pfc.relay_delay of {} at {}",
                               config::format_time(delay.count()), speed)
                 : "at " + speed,
        config::format_size(kept.count()),
        by_relay ? "; or lower pfc.relay_delay, if `sluice show tunnels` shows a lower delay" : "");
}

}  // namespace sluice::control

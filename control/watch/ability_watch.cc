#include "control/watch/ability_watch.h"

#include <utility>

namespace sluice::control {

namespace {

// Whether it was not known before that `port` is, or is no longer, in `reported`.
bool begins(PortSet& reported, PortIndex port, bool holds) {
    const PortSet before =
        std::exchange(reported, holds ? reported | only(port) : reported & ~only(port));
    return holds && (before & only(port)) == 0;
}

}  // namespace

std::vector<AbilityEvent> AbilityWatch::look(const config::Configuration& configuration,
                                             std::span<const PortAbilities> abilities,
                                             const PauseReceived& pause_received) {
    std::vector<AbilityEvent> events;
    for (PortIndex port = 0; port < abilities.size(); ++port) {
        const PortAbilities& can = abilities[port];
        const bool warns = configuration.ports[port].unproved == config::Unproved::warn;
        std::string unproven = warns ? unproven_of(configuration, port, can) : std::string();
        if (begins(unproven_, port, !unproven.empty())) {
            events.push_back({port, true, "pfc_unproven", std::move(unproven)});
        }
        const bool swallows =
            can.are.lldp_rx == LldpReception::swallowed && receives_lldp(configuration, port);
        if (begins(swallowed_, port, swallows)) {
            events.push_back({port, true, "lldp_swallowed",
                              "its firmware takes LLDP, so neighbours and DCBX are not received: " +
                                  can.lldp_rx_why});
        }
        const bool by_frames = configuration.settings.ports[port].pfc.by == PfcBy::frames;
        const bool shows =
            by_frames && can.are.pfc_rx == PauseAbility::unproven && pause_received(port);
        if (begins(pauses_received_, port, shows)) {
            events.push_back(
                {port, false, "pfc_received", "a pause frame of its peer was received"});
        }
    }
    return events;
}

void AbilityWatch::forget(PortIndex port) {
    for (PortSet* reported : {&unproven_, &swallowed_, &pauses_received_}) *reported &= ~only(port);
}

}  // namespace sluice::control

#include "control/watch/ability_watch.h"

#include <utility>

namespace sluice::control {

namespace {

// Returns whether `holds` has become true for the port; updates `reported`.
bool begins(PortSet& reported, PortIndex port, bool holds) {
    const PortSet before =
        std::exchange(reported, holds ? reported | only(port) : reported & ~only(port));
    return holds && (before & only(port)) == 0;
}

}  // namespace

PortSet AbilityWatch::look(const config::Configuration& configuration,
                           std::span<const PortAbilities> abilities,
                           const PauseReceived& pause_received) {
    PortSet first = 0;
    for (PortIndex port = 0; port < abilities.size(); ++port) {
        const PortAbilities& can = abilities[port];
        const bool warns = configuration.ports[port].unproved == config::Unproved::warn;
        std::string unproven = warns ? unproven_of(configuration, port, can) : std::string();
        if (begins(unproven_, port, !unproven.empty())) {
            events_.warn("pfc_unproven", port, std::move(unproven));
        }
        const bool swallows =
            can.are.lldp_rx == LldpReception::swallowed && receives_lldp(configuration, port);
        if (begins(swallowed_, port, swallows)) {
            events_.warn("lldp_swallowed", port,
                         "its firmware takes LLDP, so neighbours and DCBX are not received: " +
                             can.lldp_rx_why);
        }
        const bool by_frames = configuration.settings.ports[port].pfc.by == PfcBy::frames;
        const bool shows =
            by_frames && can.are.pfc_rx == PauseAbility::unproven && pause_received(port);
        if (begins(pauses_received_, port, shows)) {
            events_.notice("pfc_received", port,
                           "verified: a pause frame of its peer was received");
            first |= only(port);
        }
    }
    return first;
}

void AbilityWatch::forget(PortIndex port) {
    for (PortSet* reported : {&unproven_, &swallowed_, &pauses_received_}) *reported &= ~only(port);
}

}  // namespace sluice::control

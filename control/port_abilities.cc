#include "control/port_abilities.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "config/yaml/fault.h"

namespace sluice::control {

namespace {

bool follows_peer(const config::PortDcbxConfig& dcbx) {
    return dcbx.mode != config::DcbxMode::disabled && dcbx.willing_pfc;
}

// Whether a priority is lossless by configuration, or may become so by the peer's DCBX.
bool keeps_lossless(const PortSettings& settings, const config::PortDcbxConfig& dcbx) {
    return settings.flow_control != FlowControl::none &&
           (settings.pfc.lossless != 0 || follows_peer(dcbx));
}

// `verb`: "receive" or "send".
std::string verdict(std::string_view verb, PauseAbility ability, std::string_view why) {
    if (ability == PauseAbility::none) {
        return fmt::format("it does not {} pause frames: {}", verb, why);
    }
    return fmt::format("its capability to {} pause frames is unproven: {}", verb, why);
}

std::string joined(std::string one, std::string other) {
    if (one.empty() || other.empty()) return one + other;
    return std::move(one) + "; " + std::move(other);
}

class Refusals {
  public:
    Refusals(const config::Configuration& configuration, PortIndex port,
             const PortAbilities& abilities)
        : configuration_(configuration),
          port_(port),
          abilities_(abilities),
          unproved_(configuration.ports[port].unproved) {}

    void find(std::vector<std::string>& lines) const {
        const PortSettings& settings = configuration_.settings.ports[port_];
        if (settings.flow_control == FlowControl::none) return;
        const std::string receives = amiss("receive", abilities_.are.pfc_rx, abilities_.pfc_rx_why);
        const std::string sends = amiss("send", abilities_.are.pfc_tx, abilities_.pfc_tx_why);
        const std::string both = joined(receives, sends);
        if (settings.pfc.lossless != 0) add(lines, "lossless", both, "write lossless: []");
        if (follows_peer(configuration_.ports[port_].dcbx)) {
            add(lines, "dcbx.willing", both, "leave pfc out");
        }
        if (settings.pfc.link_pause) add(lines, "pfc.link_pause", receives, "write false");
        add_missing_lldp(lines);
    }

  private:
    [[nodiscard]] std::string amiss(std::string_view verb, PauseAbility ability,
                                    std::string_view why) const {
        return is_relied_on(ability, unproved_) ? std::string() : verdict(verb, ability, why);
    }
    // A strict port without LLDP would obey no pauses, because the neighbour's address would not be
    // known.
    void add_missing_lldp(std::vector<std::string>& lines) const {
        const bool strict = configuration_.ports[port_].strict;
        if (!strict || abilities_.are.lldp_rx != LldpReception::swallowed) return;
        lines.push_back(line(
            "pfc.strict",
            "its firmware takes LLDP, so the neighbour is not known: " + abilities_.lldp_rx_why,
            "write false and pfc.peer"));
    }
    void add(std::vector<std::string>& lines, std::string_view key, const std::string& what,
             std::string_view remedy) const {
        if (what.empty()) return;
        const bool known = abilities_.are.pfc_rx == PauseAbility::none ||
                           abilities_.are.pfc_tx == PauseAbility::none;
        lines.push_back(line(key, what,
                             fmt::format("{} at the port{}", remedy,
                                         known ? ", or give it a device that does (config/nics.md)"
                                               : ", or pfc: {unproved: warn}")));
    }
    [[nodiscard]] std::string line(std::string_view key, const std::string& what,
                                   std::string remedy) const {
        const std::string path =
            fmt::format("ports[{}].{}", configuration_.ports[port_].listed, key);
        return config::to_string(
            {.file = configuration_.source.file,
             .at = configuration_.source.position_of(path),
             .path = path,
             .what = fmt::format("{}: {}", configuration_.ports[port_].device, what),
             .remedy = std::move(remedy)});
    }

    const config::Configuration& configuration_;
    const PortIndex port_;
    const PortAbilities& abilities_;
    const config::Unproved unproved_;
};

}  // namespace

bool receives_pauses(const PortSettings& settings, const config::PortDcbxConfig& dcbx) {
    const bool of_link = settings.flow_control != FlowControl::none && settings.pfc.link_pause;
    return of_link || keeps_lossless(settings, dcbx);
}

bool receives_lldp(const config::Configuration& configuration, PortIndex port) {
    const config::LldpMode mode = configuration.ports[port].lldp.mode;
    return configuration.lldp.enabled &&
           (mode == config::LldpMode::rx || mode == config::LldpMode::both);
}

std::vector<std::string> refusals(const config::Configuration& configuration,
                                  std::span<const PortAbilities> abilities) {
    std::vector<std::string> lines;
    const std::size_t ports = std::min(configuration.ports.size(), abilities.size());
    for (PortIndex port = 0; port < ports; ++port) {
        Refusals(configuration, port, abilities[port]).find(lines);
    }
    return lines;
}

std::string unproven_of(const config::Configuration& configuration, PortIndex port,
                        const PortAbilities& abilities) {
    const PortSettings& settings = configuration.settings.ports[port];
    const config::PortDcbxConfig& dcbx = configuration.ports[port].dcbx;
    std::string receives;
    std::string sends;
    if (receives_pauses(settings, dcbx) && abilities.are.pfc_rx == PauseAbility::unproven) {
        receives = verdict("receive", PauseAbility::unproven, abilities.pfc_rx_why);
    }
    if (keeps_lossless(settings, dcbx) && abilities.are.pfc_tx == PauseAbility::unproven) {
        sends = verdict("send", PauseAbility::unproven, abilities.pfc_tx_why);
    }
    return joined(std::move(receives), std::move(sends));
}

}  // namespace sluice::control

#include "pmd_glue/nic/abilities.h"

#include <charconv>

namespace sluice::pmd::nic {
namespace {

constexpr std::string_view not_seen = "known from its driver's source, not yet observed";

struct Reception {
    PauseAbility ability = PauseAbility::unproven;
    std::string why;
};

Reception none(std::string why) { return {PauseAbility::none, std::move(why)}; }

Reception pause_reception_of(const DriverRow& row, const FlowControl& flow_control) {
    switch (row.pause_reception) {
        case PauseReception::always:
            return {PauseAbility::software, {}};
        case PauseReception::never:
            return none(std::string(row.pause_reception_why));
        case PauseReception::forwarded:
            if (!flow_control.forwards) {
                return none("its driver refuses to forward pause frames (" + flow_control.refusal +
                            ")");
            }
            break;
        case PauseReception::rx_all:
        case PauseReception::open:
            break;
    }
    if (flow_control.known && !flow_control.off) {
        return none("its flow control stays on, so the NIC consumes pause frames");
    }
    if (row.reads_back && !flow_control.says_it_forwards) {
        return none(
            "its driver accepted the setting to forward pause frames, but reports it as off");
    }
    const std::string_view why =
        row.pause_reception == PauseReception::forwarded ? not_seen : row.pause_reception_why;
    return {PauseAbility::unproven, std::string(why)};
}

Reception pause_reception_of(const DriverRow& row, const NicSettings& settings,
                             const std::string& name) {
    if (row.pause_reception == PauseReception::always) return {PauseAbility::software, {}};
    if (row.pause_reception == PauseReception::never)
        return none(std::string(row.pause_reception_why));
    if (const auto pauses = settings.link_pauses(); pauses && pauses->rx) {
        return none("802.3x stays on, so the NIC consumes pause frames; try `ethtool -A " + name +
                    " autoneg off rx off tx off`");
    }
    if (row.pause_reception != PauseReception::rx_all)
        return {PauseAbility::unproven, std::string(row.pause_reception_why)};
    if (settings.feature("rx-all") == true) return {PauseAbility::unproven, std::string(not_seen)};
    return none(
        "`rx-all` is off, so the NIC drops pause frames; a port that obeys pauses turns it on when "
        "it opens; by hand: `ethtool -K " +
        name + " rx-all on`");
}

PauseAbility sending_of(const DriverRow& row, std::string& why) {
    const bool by_source = row.pause_transmission == PauseTransmission::unfiltered ||
                           row.pause_transmission == PauseTransmission::by_priority;
    why = by_source ? not_seen : row.pause_transmission_why;
    switch (row.pause_transmission) {
        case PauseTransmission::always:
            why.clear();
            return PauseAbility::software;
        case PauseTransmission::never:
            return PauseAbility::none;
        case PauseTransmission::unfiltered:
        case PauseTransmission::by_priority:
        case PauseTransmission::open:
            break;
    }
    return PauseAbility::unproven;
}

std::string stopping(const PrivateFlag& flag, const std::string& name) {
    return "`ethtool --set-priv-flags " + name + " " + std::string(flag.name) +
           (flag.stops ? " on`" : " off`");
}

PauseAbility sending_of(const DriverRow& row, const NicSettings& settings, const std::string& name,
                        std::string& why) {
    const bool agent_stops_it = row.pause_transmission == PauseTransmission::by_priority &&
                                settings.private_flag(row.flag.name) != row.flag.stops;
    if (!agent_stops_it) return sending_of(row, why);
    why =
        "its driver sends pause frames of software only while its firmware's LLDP agent is "
        "stopped; a port with a lossless priority stops it when it opens; by hand: " +
        stopping(row.flag, name);
    return PauseAbility::none;
}

bool is_x722(uint16_t device) { return device == 0x374C || (device >= 0x37CD && device <= 0x37D3); }

// Returns whether a NIC with the driver i40e receives LLDP: the driver stops the firmware's LLDP
// agent only from a certain NVM version on. Versions here are in thousandths.
LldpReception reception_by(const Firmware& firmware) {
    constexpr int from = 6010;
    constexpr int from_of_x722 = 3330;
    double version = 0;
    const char* const end = firmware.version.data() + firmware.version.size();
    const auto [rest, fault] = std::from_chars(firmware.version.data(), end, version);
    // NaN is unknown as well: every comparison with it is false.
    if (fault != std::errc() || !(version >= 0 && version < 1000)) return LldpReception::unknown;
    const bool stops = static_cast<int>(version * 1000 + 0.5) >=
                       (is_x722(firmware.pci_device) ? from_of_x722 : from);
    return stops ? LldpReception::yes : LldpReception::swallowed;
}

}  // namespace

FoundAbilities abilities_of_ethdev(const DriverRow& row, const FlowControl& flow_control,
                                   const Firmware& firmware) {
    FoundAbilities found;
    Reception reception = pause_reception_of(row, flow_control);
    found.are.pfc_rx = reception.ability;
    found.pfc_rx_why = std::move(reception.why);
    found.are.pfc_tx = sending_of(row, found.pfc_tx_why);
    found.are.lldp_rx = row.agent == LldpAgent::none              ? LldpReception::yes
                        : row.agent == LldpAgent::of_old_firmware ? reception_by(firmware)
                                                                  : LldpReception::unknown;
    if (found.are.lldp_rx != LldpReception::yes) found.lldp_rx_why = row.agent_why;
    return found;
}

// Plain queues need no test with frames: both ends see that a ring is full if it is not drained.
void find_by_queue(const DriverRow& row, FoundAbilities& found) {
    const bool is_seen = row.queues == Queues::plain;
    found.are.pfc_rx = found.are.pfc_tx = is_seen ? PauseAbility::hardware : PauseAbility::unproven;
    found.pfc_rx_why = found.pfc_tx_why = is_seen ? std::string_view() : not_seen;
}

FoundAbilities abilities_of_interface(const DriverRow& row, const NicSettings& settings,
                                      const std::string& name) {
    FoundAbilities found;
    Reception reception = pause_reception_of(row, settings, name);
    found.are.pfc_rx = reception.ability;
    found.pfc_rx_why = std::move(reception.why);
    found.are.pfc_tx = sending_of(row, settings, name, found.pfc_tx_why);
    if (row.agent == LldpAgent::none) return found;
    found.are.lldp_rx = LldpReception::unknown;
    found.lldp_rx_why = row.agent_why;
    if (row.agent != LldpAgent::private_flag) return found;
    const auto flag = settings.private_flag(row.flag.name);
    if (flag == row.flag.stops) {
        found.are.lldp_rx = LldpReception::yes;
        found.lldp_rx_why.clear();
    } else if (flag) {
        found.are.lldp_rx = LldpReception::swallowed;
        found.lldp_rx_why += "; stop it with " + stopping(row.flag, name);
    } else {
        found.lldp_rx_why += ", and this driver has no switch for it";
    }
    return found;
}

FoundAbilities best_of_interface(const std::string& name) {
    const DriverRow& row = row_of(kernel_drivers(), ethtool_settings(name)->driver());
    FoundAbilities best;
    if (row.pause_reception != PauseReception::always) {
        const bool never = row.pause_reception == PauseReception::never;
        best.are.pfc_rx = never ? PauseAbility::none : PauseAbility::unproven;
        best.pfc_rx_why = row.pause_reception_why.empty() ? not_seen : row.pause_reception_why;
    }
    best.are.pfc_tx = sending_of(row, best.pfc_tx_why);
    return best;
}

}  // namespace sluice::pmd::nic

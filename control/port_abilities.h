// Port abilities: the capabilities of each port, as found when it was opened, and the capabilities
// that its settings need.
//
// The keys `lossless` and `pfc` in `dcbx.willing` require that a port sends and receives pauses;
// `pfc.link_pause` only requires that it receives them. The reasons why a capability is missing are
// in pmd_glue/nic/driver_table.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "dataplane/types/abilities.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

struct PortAbilities {
    Abilities are;
    std::string pfc_rx_why;  // why the capability is missing or unproven; else empty
    std::string pfc_tx_why;
    std::string lldp_rx_why;
};

// Whether the port has to obey pause frames, by PFC or by 802.3x, and whether it has to receive
// LLDP.
bool receives_pauses(const PortSettings& settings, const config::PortDcbxConfig& dcbx);
bool receives_lldp(const config::Configuration& configuration, PortIndex port);

// Whether a port may be relied on for the capability, and so for lossless priorities.
constexpr bool is_relied_on(PauseAbility ability, config::Unproved unproved) {
    return ability == PauseAbility::software || ability == PauseAbility::hardware ||
           (ability == PauseAbility::unproven && unproved != config::Unproved::refuse);
}
constexpr bool keeps_pfc(const Abilities& can, config::Unproved unproved) {
    return is_relied_on(can.pfc_rx, unproved) && is_relied_on(can.pfc_tx, unproved);
}

// Returns a line for each key that requires a capability that its port lacks. `abilities` by port
// index.
std::vector<std::string> refusals(const config::Configuration& configuration,
                                  std::span<const PortAbilities> abilities);

// Returns the unproven capabilities for pauses that a port relies on, as text; empty: none.
std::string unproven_of(const config::Configuration& configuration, PortIndex port,
                        const PortAbilities& abilities);

}  // namespace sluice::control

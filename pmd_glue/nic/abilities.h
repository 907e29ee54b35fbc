// Abilities: finds the capabilities of a port: from the row of its driver (driver_table.h), and
// then from what the device itself reports after it was set up.
//
// A capability that only the row promises is `unproven` until a frame has shown it. A capability of
// the hardware is never reported as `software`. Every capability that is missing or unproven has a
// reason, and the command that helps, if there is one.
#pragma once

#include <cstdint>
#include <string>

#include "dataplane/types/abilities.h"
#include "pmd_glue/nic/driver_table.h"
#include "pmd_glue/nic/flow_control.h"
#include "pmd_glue/nic/nic_settings.h"

namespace sluice::pmd::nic {

struct FoundAbilities {
    Abilities are;
    std::string pfc_rx_why;  // both reasons for PFC are empty if the ability is `software`
    std::string pfc_tx_why;
    std::string lldp_rx_why;
};

// Firmware of a NIC, as the device reports it.
struct Firmware {
    std::string version;
    uint16_t pci_device = 0;  // 0 if the device is not on a PCI bus
};

FoundAbilities abilities_of_ethdev(const DriverRow& row, const FlowControl& flow_control,
                                   const Firmware& firmware);
// Sets the capabilities of a device whose priorities have queues of their own: whether it sends and
// obeys PFC by queue.
void find_by_queue(const DriverRow& row, FoundAbilities& found);
// `name`: the interface, for the commands.
FoundAbilities abilities_of_interface(const DriverRow& row, const NicSettings& settings,
                                      const std::string& name);

// Returns the best capabilities that the driver of a device allows, before a port opens it.
FoundAbilities best_of_interface(const std::string& name);

}  // namespace sluice::pmd::nic

// Abilities: finds the capabilities of a port: from the row of its driver (driver_table.h), and
// then from what the device itself reports after it was set up.
//
// A capability that only the row promises is `unproven` until a frame has shown it. A capability of
// the hardware is never reported as `software`. Every answer but a plain yes has a reason, and the
// command that helps, if there is one.
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
    std::string pfc_rx_why;  // this and the next: empty where it is `software`, or `yes`
    std::string pfc_tx_why;
    std::string lldp_rx_why;
};

// The firmware of a NIC, as far as the device reports it.
struct Firmware {
    std::string version;
    uint16_t pci_device = 0;  // 0: it is on no PCI bus
};

FoundAbilities abilities_of_ethdev(const DriverRow& row, const FlowControl& flow_control,
                                   const Firmware& firmware);
// Sets the capabilities of a device whose priorities have queues of their own: whether it pauses
// and obeys by these.
void find_by_queue(const DriverRow& row, FoundAbilities& found);
// `name` for the commands.
FoundAbilities abilities_of_interface(const DriverRow& row, const NicSettings& settings,
                                      const std::string& name);

// Returns the best capabilities of a device that no port has opened yet, by its driver alone.
FoundAbilities best_of_interface(const std::string& name);

}  // namespace sluice::pmd::nic

// Ethdev: queries and sets up a DPDK device after it was started: driver, firmware, which frames it
// receives, and that it leaves pauses to the switch. Call it after every start, as some devices
// lose these settings.
#pragma once

#include <cstdint>
#include <string>

#include "pmd_glue/nic/abilities.h"
#include "pmd_glue/nic/circumstances.h"

namespace sluice::pmd::nic {

// Capabilities and circumstances of a device.
struct FoundEthdev {
    FoundAbilities abilities;
    Circumstances circumstances;
};
// `pci_address`: empty if the device is not on a PCI bus. `by_queue`: the device does PFC by
// itself, and was set up for it (lossless_queues.h).
FoundEthdev set_and_ask_ethdev(uint16_t ethdev, const std::string& pci_address, bool by_queue);

// Returns the PCI device id at that address; 0 if sysfs has none.
uint16_t pci_device(const std::string& pci_address);

// Results of switching promiscuous and all-multicast mode: 0, or DPDK's error.
struct Taking {
    int of_all = 0;
    int of_groups = 0;
};
Taking take_frames(uint16_t ethdev, bool promiscuous);

// Returns which frames the device does not receive although a switch needs them; empty if there are
// none. For a virtual device, "not supported" means that it has no such filter.
std::string missing_from(const Taking& taking, bool promiscuous, bool is_hardware);

}  // namespace sluice::pmd::nic

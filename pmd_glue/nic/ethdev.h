// Ethdev: queries and sets a DPDK device after it was started: driver, firmware, which frames it
// receives, and that it leaves pauses to the switch. Call it after every start, as some devices
// lose these settings.
#pragma once

#include <cstdint>
#include <string>

#include "pmd_glue/nic/abilities.h"
#include "pmd_glue/nic/circumstances.h"

namespace sluice::pmd::nic {

// `pci_address`: empty, where it is on no PCI bus.
struct FoundEthdev {
    FoundAbilities abilities;
    Circumstances circumstances;
};
// `by_queue`: it pauses and obeys by itself, and was set to (lossless_queues.h).
FoundEthdev set_and_ask_ethdev(uint16_t ethdev, const std::string& pci_address, bool by_queue);

// The PCI device id at that address; 0: sysfs has none.
uint16_t pci_device(const std::string& pci_address);

// Results of receiving frames for others: all of them (`promiscuous`), and those to groups. 0, or
// DPDK's error.
struct Taking {
    int of_all = 0;
    int of_groups = 0;
};
Taking take_frames(uint16_t ethdev, bool promiscuous);

// Empty, or which frames the device does not receive although a switch needs them. For a virtual
// device, "not supported" means that it has no such filter.
std::string missing_from(const Taking& taking, bool promiscuous, bool is_hardware);

}  // namespace sluice::pmd::nic

// Circumstances: driver, firmware and settings of a device when it was opened, as far as its
// handling of pause frames and LLDP may depend on them. The result of a cable trial (control/proof)
// is valid only for the same circumstances.
//
// `system` is the version of DPDK or of Linux, depending on whose driver it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dataplane/types/address.h"
#include "pmd_glue/nic/driver_table.h"
#include "pmd_glue/nic/flow_control.h"
#include "pmd_glue/nic/nic_settings.h"

namespace sluice::pmd::nic {

// Circumstances of a device. A member is empty if the device does not report it.
struct Circumstances {
    std::string address;  // address of the device itself
    std::string driver;
    std::string firmware;  // version of the firmware
    std::string system;
    std::string settings;  // settings of pauses and LLDP
};

// Call it after the device was set up (flow_control.h).
Circumstances circumstances_of_ethdev(uint16_t ethdev, std::string_view driver,
                                      std::string_view firmware, const FlowControl& flow_control);
// Call it after the interface was set up (kernel_settings.h).
Circumstances circumstances_of_interface(MacAddress own, const DriverRow& row,
                                         const NicSettings& settings);

// Returns the address of a DPDK device.
MacAddress address_of(uint16_t ethdev);

}  // namespace sluice::pmd::nic

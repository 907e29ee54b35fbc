// Circumstances: what a device was like when it opened, as far as what it does to pause frames and
// LLDP may hang on that: so that what was seen of it holds for just as long.
//
// Of the DPDK or the Linux that its driver is of, since drivers change with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pmd_glue/nic/driver_table.h"
#include "pmd_glue/nic/flow_control.h"
#include "pmd_glue/nic/nic_settings.h"

namespace sluice::pmd::nic {

// What it does not tell is empty.
struct Circumstances {
    std::string address;  // its own
    std::string driver;
    std::string firmware;  // its version
    std::string system;
    std::string settings;  // of pauses and LLDP
};

// Once it was set (flow_control.h).
Circumstances circumstances_of_ethdev(uint16_t ethdev, std::string_view driver,
                                      std::string_view firmware, const FlowControl& flow_control);
// Once it was set (kernel_settings.h).
Circumstances circumstances_of_interface(uint16_t ethdev, const DriverRow& row,
                                         const NicSettings& settings);

}  // namespace sluice::pmd::nic

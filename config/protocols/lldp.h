// LLDP: reads the keys of LLDP, and checks the rules between them.
//
// Not done here: values that only a running switch has, such as the host's name and the addresses
// of devices (control/lldp/manager.h).
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Checks that port ids are unique, and that the management address is an IP address. To be called
// after the keys were read.
void check_lldp(const Value& file, Report& report);

// Reads the settings from a valid file.
LldpConfig lldp_config(const Value& lldp);
PortLldpConfig port_lldp_config(const Value& port);

}  // namespace sluice::config

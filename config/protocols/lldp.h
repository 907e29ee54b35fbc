// LLDP: reads the keys about LLDP, and the rules between them.
//
// Not done here: values that only a running switch knows, such as the host's name and the addresses
// of devices; the maker of the agents fills those in (control/lldp/manager.h).
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// After the keys were read: port ids are unique, the management address is one.
void check_lldp(const Value& file, Report& report);

// Reads the settings from a valid file.
LldpConfig lldp_config(const Value& lldp);
PortLldpConfig port_lldp_config(const Value& port);

}  // namespace sluice::config

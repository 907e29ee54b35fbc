// DCBX: what a file says about DCBX, and the rules between those keys.
//
// Not done here: what DCBX says of a port's other settings, its lossless priorities and its
// scheduler; the maker of the agents works that out (control/dcbx/manager.h).
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Whether DCBX speaks at a port, and its LLDP sends what it says. Of a mode that could not be read
// nothing is held against the port.
bool advertises_dcbx(const Value& port);
// And whether its LLDP receives the peer's.
bool receives_dcbx(const Value& port);

// After the keys were read.
void check_dcbx(const Value& file, Report& report);

// Of a valid file.
PortDcbxConfig port_dcbx_config(const Value& port);

}  // namespace sluice::config

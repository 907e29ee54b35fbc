// DCBX: reads the keys about DCBX, and the rules between them.
//
// Not done here: advertising a port's other settings, its lossless priorities and its scheduler;
// the maker of the agents derives that (control/dcbx/manager.h).
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Whether a port speaks DCBX, and its LLDP sends DCBX's TLVs. If the mode could not be read the
// port gets the benefit of the doubt.
bool advertises_dcbx(const Value& port);
// Whether the port also receives the peer's DCBX TLVs, by LLDP.
bool receives_dcbx(const Value& port);

// After the keys were read.
void check_dcbx(const Value& file, Report& report);

// Reads the settings from a valid file.
PortDcbxConfig port_dcbx_config(const Value& port);

}  // namespace sluice::config

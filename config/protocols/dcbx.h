// DCBX: reads the keys of DCBX, and checks the rules between them.
//
// Not done here: deriving what a port advertises from its lossless priorities and its scheduler
// (control/dcbx/manager.h).
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Returns whether the port speaks DCBX and its LLDP sends DCBX's TLVs. A mode with a fault counts
// as sending, so that it causes no second fault.
bool advertises_dcbx(const Value& port);
// Returns whether the port also receives DCBX's TLVs of its peer.
bool receives_dcbx(const Value& port);

// Checks the rules. To be called after the keys were read.
void check_dcbx(const Value& file, Report& report);

// Reads the settings from a valid file.
PortDcbxConfig port_dcbx_config(const Value& port);

}  // namespace sluice::config

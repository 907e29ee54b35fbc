// Exchange: what a file says about DCBX, and the rules between those keys.
//
// Not done here: what DCBX says of a port's other settings, its lossless priorities and its
// scheduler; whoever makes the agents works that out (control/exchange.h).
#pragma once

#include "config/configuration.h"
#include "config/fault.h"
#include "config/reader.h"

namespace sluice::config {

// After the keys were read.
void check_dcbx(const Value& file, Report& report);

// Of a valid file.
PortDcbxConfig port_dcbx_config(const Value& port);

}  // namespace sluice::config

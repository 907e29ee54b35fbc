// Tunnels to many: rules for ports of VXLAN that lead to many VTEPs (`vxlan:PORT/VNI`), beside
// those for any tunnel (tunnels.h): where their VTEPs come from, and what such a port cannot do.
//
// Not done here: the addresses of `remotes` (tunnels.h).
#pragma once

#include "config/port/port_names.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_tunnels_to_many(const Value& file, Report& report);

}  // namespace sluice::config

// Tunnels to many: rules for VXLAN ports that lead to many VTEPs (`vxlan:PORT/VNI`), in addition to
// those for any tunnel (tunnels.h): the source of their VTEPs, and keys that such a port cannot
// have.
//
// Not done here: the addresses of `remotes` (tunnels.h).
#pragma once

#include "config/port/port_names.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_tunnels_to_many(const Value& file, Report& report);

}  // namespace sluice::config

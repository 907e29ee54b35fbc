// HeaderKeys: keys of ports about a field of the frame's header: PCP, DSCP, ECN, traffic class, and
// the source address that is learned.
//
// Where a port's frames have no such field (its `format`), the key would be accepted without
// effect: written at the port it is a fault. A port that takes it from `defaults` passes over it,
// as a switch with ports of several formats needs; under `defaults` it is a fault where no port has
// it to any effect.
// What is read as a frame comes in is by the port's own format, and so is what a tag is; what is
// written into an IP header is by where the frame came in, which is any port of the same family.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_header_keys(const Value& file, Report& report);

}  // namespace sluice::config

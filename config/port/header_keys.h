// HeaderKeys: checks keys of ports that depend on a field of the frame's header: PCP, DSCP, ECN,
// traffic class, and the source address for learning.
//
// Without the field in the port's frames (its `format`) the key has no effect. Written at the port
// it is a fault. A port ignores such a key from `defaults`, as a switch with ports of several
// formats needs; under `defaults` it is a fault if it has no effect at any port. Fields read from
// received frames, and tags, depend on the port's own format. Fields written into an IP header
// depend on the port by which the frame was received, which is any port of the same family.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_header_keys(const Value& file, Report& report);

}  // namespace sluice::config

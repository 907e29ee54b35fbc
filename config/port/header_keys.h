// HeaderKeys: checks keys of ports that depend on a field of the frame's header: PCP, DSCP, ECN,
// traffic class, and the source address for learning.
//
// Without the field in the port's frames (its `format`) the key has no effect. A key without effect
// is a fault if the port itself has it. A port ignores such a key of `defaults`, so that ports of
// several formats can share `defaults`. Under `defaults` the key is a fault only if it has no
// effect at any port. Fields read from received frames, and tags, depend on the port's own format.
// Fields written into an IP header depend on the port by which the frame was received, which is any
// port of the same family.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_header_keys(const Value& file, Report& report);

}  // namespace sluice::config

// UnusedKeys: reports keys without effect, because another key that they need is not set: weights
// of a crossbar without `rule: weighted`, ageing of groups without snooping. The row of such a key
// names its need (Needs in schema.h).
//
// A key is reported at the place where it is written. A port's key under `defaults` is not
// reported: it applies to the ports that can use it. The keys of a feature that is switched off
// explicitly, as by `lossless: []` or a watchdog's `action: off`, are not reported either: an
// operator who switches it off for a while need not remove them.
// Not done here: keys about fields that a port's frames do not have (header_keys.h), and those of a
// port's `vlan` (port_vlans.h) and `dcbx` (dcbx.h).
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_unused_keys(const Value& file, Report& report);

}  // namespace sluice::config

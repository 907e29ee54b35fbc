// UnusedKeys: keys that mean something beside another key alone, where that is not so: weights of a
// crossbar that has none, ageing of groups where nothing is snooped. Accepted, they would do
// nothing. The row of such a key says what it needs (Needs in schema.h).
//
// Reported where they are written; a port's under `defaults` are for those ports that can use them.
// What is switched off in so many words, as by `lossless: []` or a watchdog's `action: off`, may
// keep its keys: who only switches it off for a while would else take them out and back in.
// Not done here: keys about fields that a port's frames do not have (header_keys.h), and those of a
// port's `vlan` (port_vlans.h) and `dcbx` (dcbx.h).
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_unused_keys(const Value& file, Report& report);

}  // namespace sluice::config

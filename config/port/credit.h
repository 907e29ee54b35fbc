// Credit: rules for a port with credit: keys that exclude credit, and the size of the buffer.
// Not done here: computing that size (set_aside.h).
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_credit(const Value& file, const Value& port, Report& report);

}  // namespace sluice::config

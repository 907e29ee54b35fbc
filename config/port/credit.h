// Credit: rules of a port that goes by it: what it cannot go with, and that its buffer has room.
// Not done here: how much buffer it needs (set_aside.h).
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_credit(const Value& file, const Value& port, Report& report);

}  // namespace sluice::config

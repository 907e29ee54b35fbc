// Validate: checks the rules between keys, on values that are each valid by themselves.
//
// Each rule skips values that already have a fault, so that one mistake is reported once and does
// not hide another. A fault points to where the operator wrote the value, which for a port may be
// under `defaults`.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void validate(const Value& file, Report& report);

}  // namespace sluice::config

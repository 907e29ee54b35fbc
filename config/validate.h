// Validate: the rules that tie one key to another, on values that are each right by themselves.
//
// Each rule passes over values that are already at fault, so that one mistake is reported once and
// does not hide another. A fault stands where the operator wrote the value, which for a port may
// be under `defaults`.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void validate(const Value& file, Report& report);

}  // namespace sluice::config

// Validate: the rules that tie one key to another, on values that are each right by themselves.
//
// Each rule passes over values that are already at fault, so that one mistake is told once and
// does not hide another. A fault stands where the operator wrote the value, which for a port may
// be under `defaults`.
#pragma once

#include "config/fault.h"
#include "config/reader.h"
#include "dataplane/units.h"

namespace sluice::config {

// Header and two tags: what a frame has above its payload, FCS not counted.
inline constexpr Bytes frame_overhead{14 + 2 * 4};

void validate(const Value& file, Report& report);

}  // namespace sluice::config

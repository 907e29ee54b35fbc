// Loop guard: reads the keys of the loop guard, and checks the rules between them.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_loop_guard(const Value& file, Report& report);

// Reads the settings from a valid file.
LoopGuardConfig loop_guard_config(const Value& port);

}  // namespace sluice::config

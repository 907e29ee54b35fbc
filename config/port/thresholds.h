// Thresholds: where `buffer.alpha: 0` shares nothing (static thresholds), each VOQ has its reserve
// alone, and that has to hold a frame.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_static_thresholds(const Value& file, Report& report);

}  // namespace sluice::config

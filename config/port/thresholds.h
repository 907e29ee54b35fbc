// Thresholds: checks `buffer.alpha: 0`, with which nothing is shared (static thresholds): each VOQ
// has only its reserve, which therefore has to hold a frame.
#pragma once

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_static_thresholds(const Value& file, Report& report);

}  // namespace sluice::config

// Metrics: reads the keys of the HTTP listener, and checks the rules between them.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Checks that each other switch is listed once, and that no key is set without a listener. To be
// called after the keys were read.
void check_metrics(const Value& metrics, Report& report);

// Reads the settings from a valid file.
MetricsConfig metrics_config(const Value& metrics);

}  // namespace sluice::config

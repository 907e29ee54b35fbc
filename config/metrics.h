// Metrics: what is said of looking at the switch over HTTP, and the rules between those keys.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Call after the keys were read: checks that each other switch is listed once, and that no key is
// set without a listener.
void check_metrics(const Value& metrics, Report& report);

// Reads the settings from a valid file.
MetricsConfig metrics_config(const Value& metrics);

}  // namespace sluice::config

// Metrics: what is said of looking at the switch over HTTP, and the rules between those keys.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// After the keys were read: each other switch is there once, and nothing is said where nobody
// listens.
void check_metrics(const Value& metrics, Report& report);

// Of a valid file.
MetricsConfig metrics_config(const Value& metrics);

}  // namespace sluice::config

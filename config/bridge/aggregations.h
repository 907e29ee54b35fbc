// Aggregations: rules for ports that form one bridge port, and their conversion to settings.
//
// All members must have the same bridging settings; otherwise the handling of a frame would depend
// on the cable by which it was received. PFC, scheduler and rate may differ.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "config/port/port_names.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

void check_aggregations(const Value& file, const PortNames& names, Report& report);

// Reads the aggregations of a valid file.
std::vector<AggregationSettings> aggregation_settings(
    const Value& file, const std::map<std::string, PortIndex, std::less<>>& indices);
// Returns the aggregations in the order of `settings`.
std::vector<AggregationConfig> aggregation_configs(
    const Value& file, const std::vector<AggregationSettings>& settings);

}  // namespace sluice::config

// sFlow: what is said about sFlow, and the rules between those keys.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// After the keys were read: the agent is an address.
void check_sflow(const Value& file, Report& report);

// Reads the settings from a valid file.
SflowConfig sflow_config(const Value& sflow);
// One frame in so many of those that the port receives; 0: none.
uint32_t sflow_sampling(const Value& file, const Value& port);

}  // namespace sluice::config

// sFlow: reads the keys of sFlow, and checks the rules between them.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Checks that the agent is an IP address. To be called after the keys were read.
void check_sflow(const Value& file, Report& report);

// Reads the settings from a valid file.
SflowConfig sflow_config(const Value& sflow);
// Returns n if the port samples one of n received frames on average; 0: it samples none.
uint32_t sflow_sampling(const Value& file, const Value& port);

}  // namespace sluice::config

// sFlow: what is said about sFlow, and the rules between those keys.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// After the keys were read: the agent is an address, and nothing is said where sFlow is off.
void check_sflow(const Value& file, Report& report);

// A fault, if the value is written: it means nothing as another key is not. `example_of_key`: that
// key and a value.
void has_no_meaning_without(const Value& value, std::string_view example_of_key, Report& report);

// Of a valid file.
SflowConfig sflow_config(const Value& sflow);
// One frame in so many of those that the port receives; 0: none.
uint32_t sflow_sampling(const Value& file, const Value& port);

}  // namespace sluice::config

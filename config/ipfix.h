// IPFIX: reads the keys of the export of counters, and checks the rules between them.
#pragma once

#include <map>
#include <string>

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// The most octets of samples in one second.
inline constexpr int64_t most_ipfix_octets_a_second = int64_t{64} << 20;

// Checks that the listed ports exist, and that the export stays below `most_ipfix_octets_a_second`.
void check_ipfix(const Value& file, Report& report);

// Reads the settings from a valid file; `ports` has the index of each name.
IpfixConfig ipfix_config(const Value& ipfix,
                         const std::map<std::string, PortIndex, std::less<>>& ports);

}  // namespace sluice::config

// IPFIX: what is said of exporting counters, and the rules between those keys.
#pragma once

#include <map>
#include <string>

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Octets of samples that one second may have.
inline constexpr int64_t most_ipfix_octets_a_second = int64_t{64} << 20;

// Its ports exist, and it is no more than can be sent.
void check_ipfix(const Value& file, Report& report);

// Reads the settings from a valid file; `ports` by name.
IpfixConfig ipfix_config(const Value& ipfix,
                         const std::map<std::string, PortIndex, std::less<>>& ports);

}  // namespace sluice::config

// Host: checks and reads which frames of a shared interface the host keeps.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_host(const Value& file, const Value& port, Report& report);

// Reads a valid port.
HostConfig host_config(const Value& port);

}  // namespace sluice::config

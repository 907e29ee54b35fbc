// Host: what of an interface's frames stays the host's: rules for it, and what it comes to.
#pragma once

#include "config/configuration.h"
#include "config/yaml/fault.h"
#include "config/yaml/reader.h"

namespace sluice::config {

void check_host(const Value& file, const Value& port, Report& report);

// Reads the settings of a valid port.
HostConfig host_config(const Value& port);

}  // namespace sluice::config

// Requests: converts the ports of a configuration to requests that pmd_glue opens, and the errors
// of pmd_glue to faults of the file.
// Not done here: opening ports (runtime.h).
#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "config/configuration.h"
#include "control/runtime/runtime.h"
#include "pmd_glue/error.h"
#include "pmd_glue/port.h"

namespace sluice::control {

std::string line_for(const config::Configuration& configuration, const std::string& key,
                     const pmd::Error& error);
std::string device_key(std::size_t port);

// Returns the ports that exist.
PortSet ports_of(const config::Configuration& configuration);
// Returns the requests of `ports`, or a line for each invalid device.
tl::expected<std::vector<pmd::PortRequest>, StartFailure> port_requests(
    const config::Configuration& configuration, PortSet ports);

}  // namespace sluice::control

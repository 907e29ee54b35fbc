// Resolves names of ports and aggregations in requests.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "config/configuration.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

// Returns the port with that name, or the members of the aggregation; or an error with the existing
// names.
tl::expected<PortSet, std::string> ports_called(const std::string& name,
                                                const config::Configuration& running);
// Returns the port with that name, or an error.
tl::expected<PortIndex, std::string> port_called(const std::string& name,
                                                 const config::Configuration& running);

}  // namespace sluice::control

// The ports that a request means by a name.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "config/configuration.h"
#include "dataplane/types/limits.h"

namespace sluice::control {

// A port, or those of an aggregation; or that there is none, with those there are.
tl::expected<PortSet, std::string> ports_called(const std::string& name,
                                                const config::Configuration& running);
// A port.
tl::expected<PortIndex, std::string> port_called(const std::string& name,
                                                 const config::Configuration& running);

}  // namespace sluice::control

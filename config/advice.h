// Advice: what is no fault of a configuration, and yet not what its writer is likely to want.
// `sluice check` prints it.
//
// Bound: ports x VLANs.
#pragma once

#include <string>
#include <vector>

#include "config/configuration.h"

namespace sluice::config {

// A line for people each; none where nothing is to be said.
std::vector<std::string> advice_on(const Configuration& configuration);

}  // namespace sluice::config

// Advice: reports settings that are valid, but probably not what the operator wants. `sluice check`
// prints it.
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

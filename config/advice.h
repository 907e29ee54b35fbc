// Advice: reports settings that are valid, but probably not what the operator wants. `sluice check`
// prints it.
//
// Bound: ports x VLANs.
#pragma once

#include <string>
#include <vector>

#include "config/configuration.h"

namespace sluice::config {

// Returns the pieces of advice, one line each, for people to read; empty if there is none.
std::vector<std::string> advice_on(const Configuration& configuration);

}  // namespace sluice::config

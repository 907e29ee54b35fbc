// Difference: what keeps a running switch from taking over the next configuration.
//
// Keys whose row of the schema has `restart` are laid out at start; a change of one of them is a
// fault of the next file, at its place there. All else can be adopted. Rows with `by_meaning` are
// compared by what they come to, all others by what is written. Ports
// of both are at their places (places.h); what comes or goes is no difference.
// Bound: one comparison a key and port.
#pragma once

#include <vector>

#include "config/configuration.h"
#include "config/yaml/fault.h"

namespace sluice::config {

// Empty: `next` can be adopted while running.
std::vector<Fault> difference_needing_restart(const Configuration& running,
                                              const Configuration& next);

}  // namespace sluice::config

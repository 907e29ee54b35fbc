// Difference: finds what prevents a running switch from adopting the next configuration.
//
// A key whose row of the schema has `restart` is fixed at start: a changed value is a fault of the
// next file, at the key's position in that file. All other keys can be adopted. Rows with
// `by_meaning` are compared by their effect, all others by their text. The ports of both
// configurations are in their slots (places.h); added and removed ports are no difference.
// Bound: one comparison for each key and port.
#pragma once

#include <vector>

#include "config/configuration.h"
#include "config/yaml/fault.h"

namespace sluice::config {

// Returns the keys that need a restart; empty: `next` can be adopted while running.
std::vector<Fault> difference_needing_restart(const Configuration& running,
                                              const Configuration& next);

}  // namespace sluice::config

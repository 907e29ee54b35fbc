// Lanes: rules for `ports[].lanes`, by which several workers receive from one port, and their
// conversion to settings. The first lane is the port itself; `settings.lanes` has the others.
#pragma once

#include <vector>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

// Checks a whole file: the workers exist, the queues suffice, and the inputs do not exceed the
// limit.
void check_lanes(const Value& file, Report& report);

// Returns the further lanes of all ports: all lanes but the first.
std::vector<LaneSettings> further_lanes(const Value& file);

}  // namespace sluice::config

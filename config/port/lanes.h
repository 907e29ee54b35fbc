// Lanes: rules for `ports[].lanes`, by which several workers receive from one port, and their
// conversion to settings. The first lane is the port itself; the others are in `settings.lanes`.
#pragma once

#include <vector>

#include "config/yaml/fault.h"
#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

// Checks of a whole file that workers exist, queues suffice, and inputs do not exceed the limit.
void check_lanes(const Value& file, Report& report);

// The lanes of all ports but their first.
std::vector<LaneSettings> further_lanes(const Value& file);

}  // namespace sluice::config

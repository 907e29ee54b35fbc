// Trust: which sources a port takes a frame's priority from, the first first: `trust`, or those of
// its `profile` where that is not written.
#pragma once

#include <array>

#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

std::array<PrioritySource, priority_sources> trusted_sources(const Value& port);

}  // namespace sluice::config

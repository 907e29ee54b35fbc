// Trust: returns the sources of a frame's priority, in order: `trust`, or those of `profile` if
// `trust` is not written.
#pragma once

#include <array>

#include "config/yaml/reader.h"
#include "dataplane/types/settings.h"

namespace sluice::config {

std::array<PrioritySource, priority_sources> trusted_sources(const Value& port);

}  // namespace sluice::config

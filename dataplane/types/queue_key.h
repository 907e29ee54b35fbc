// Queue key: which queue of an input, or of all inputs together, is meant.
#pragma once

#include "dataplane/types/limits.h"

namespace sluice {

struct QueueKey {
    PortIndex output;
    Priority priority;
};

}  // namespace sluice

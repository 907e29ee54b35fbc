// Queue key: identifies a queue by output and priority, of one input or of all inputs together.
#pragma once

#include "dataplane/types/limits.h"

namespace sluice {

struct QueueKey {
    PortIndex output;
    Priority priority;
};

}  // namespace sluice

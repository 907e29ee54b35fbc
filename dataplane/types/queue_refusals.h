// Queue refusals: counts frames of an input that queues refused or lost. The recorder and IPFIX
// read this sum to find out whether any path of the input has a new drop.
#pragma once

#include <cstdint>

#include "dataplane/types/drops.h"

namespace sluice {

inline uint64_t refused_by_queues(const DropCounters& drops) {
    uint64_t sum = 0;
    for (const Drop reason :
         {Drop::over_threshold, Drop::trim_refused, Drop::headroom_overrun, Drop::wred,
          Drop::no_credit, Drop::no_queue_entry, Drop::pfc_storm, Drop::egress_stalled}) {
        sum += drops.of(reason);
    }
    return sum;
}

}  // namespace sluice

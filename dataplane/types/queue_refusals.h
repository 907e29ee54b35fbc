// Queue refusals: how many frames of an input were refused or lost by queues. By this sum the
// recorder and IPFIX find out whether any path of the input has a new drop.
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

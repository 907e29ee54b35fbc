// Offer: the priorities at which an output may be matched.
#pragma once

#include "dataplane/fabric/matching.h"

namespace sluice::test {

inline void offer(Requests& requests, PortIndex output, PrioritySet priorities) {
    requests.outputs &= ~only(output);
    if (priorities != 0) requests.outputs |= only(output);
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        requests.open[priority] &= ~only(output);
        if ((priorities & only_priority(priority)) != 0) requests.open[priority] |= only(output);
    }
}

}  // namespace sluice::test

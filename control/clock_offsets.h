// ClockOffsets: the readings of two system clocks at 0 of the workers' clock, to convert a worker's
// time into times of these clocks.
// Bound: eight readings of each clock; the fastest of them counts, because control may lose its
// core during the others.
#pragma once

#include <chrono>
#include <cstdint>

#include "dataplane/types/units.h"

namespace sluice::control {

struct ClockOffsets {
    std::chrono::nanoseconds monotonic{0};
    std::chrono::nanoseconds utc{0};
};

// Reads the offsets. `clock`: the workers' clock.
template <class Clock>
ClockOffsets read_clock_offsets(const Clock& clock) {
    ClockOffsets offsets;
    Nanos narrowest{INT64_MAX};
    for (int attempt = 0; attempt < 8; ++attempt) {
        const Nanos before = clock();
        const auto monotonic = std::chrono::steady_clock::now().time_since_epoch();
        const auto utc = std::chrono::system_clock::now().time_since_epoch();
        const Nanos width = clock() - before;
        if (width >= narrowest) continue;
        narrowest = width;
        const std::chrono::nanoseconds middle((before + width / 2).count());
        offsets = {.monotonic = monotonic - middle, .utc = utc - middle};
    }
    return offsets;
}

}  // namespace sluice::control

// Clock: monotonic nanoseconds, from the processor's time stamp counter.
//
// Bound: one reading of the counter and a multiplication; 10 ns, or more under a hypervisor. Within
// 100 parts in a million of CLOCK_MONOTONIC. Zero is the moment of calibration, not a time of day.
// Needs a counter that runs at one rate on every core (constant_tsc, nonstop_tsc).
#pragma once

#include <cstdint>

#include "dataplane/types/units.h"

namespace sluice::pmd {

class Clock {
  public:
    // Compares the counter with CLOCK_MONOTONIC for 20 ms.
    static Clock calibrated();

    [[nodiscard]] Nanos now() const;

  private:
    Clock(uint64_t start, uint64_t multiplier) : start_(start), multiplier_(multiplier) {}

    uint64_t start_;  // counter at calibration
    // Nanoseconds a tick, in units of 1/2^32: `now` multiplies and shifts, and does not divide.
    uint64_t multiplier_;
};

}  // namespace sluice::pmd

#include "dataplane/types/counters.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(Gauge, GoesUpDownAndKeepsItsPeak) {
    Gauge level;
    uint64_t now = 0;
    uint64_t peak = 0;
    for (const int step : {+5, +7, -4, +1, -9, +30, -30, +2}) {
        if (step > 0) level.add(static_cast<uint64_t>(step));
        if (step < 0) level.subtract(static_cast<uint64_t>(-step));
        now += static_cast<uint64_t>(step);
        peak = std::max(peak, now);
        EXPECT_EQ(level.value(), now);
        EXPECT_EQ(level.peak(), peak);
    }
}

}  // namespace
}  // namespace sluice

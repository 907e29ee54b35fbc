#include "pmd_glue/clock.h"

#include <gtest/gtest.h>
#include <chrono>
#include <thread>

namespace sluice::pmd {
namespace {

TEST(Clock, NeverGoesBack) {
    const Clock clock = Clock::calibrated();
    Nanos last = clock.now();
    for (int i = 0; i < 100'000; ++i) {
        const Nanos now = clock.now();
        ASSERT_GE(now, last);
        last = now;
    }
}

TEST(Clock, KeepsTime) {
    const Clock clock = Clock::calibrated();
    const auto wall = std::chrono::steady_clock::now();
    const Nanos start = clock.now();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const int64_t passed = (clock.now() - start).count();
    const auto expected = (std::chrono::steady_clock::now() - wall) / std::chrono::nanoseconds(1);
    EXPECT_NEAR(static_cast<double>(passed), static_cast<double>(expected),
                static_cast<double>(expected) / 1000);
}

}  // namespace
}  // namespace sluice::pmd

#include "config/port/thresholds.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

TEST(Thresholds, StaticOnesHoldAFrame) {
    EXPECT_EQ(faults_of(two_ports + "buffer: {alpha: 0, reserved: 1536B}\n"), Lines{});
    EXPECT_EQ(faults_of(two_ports + "buffer: {alpha: 0, reserved: 1KiB}\n"),
              Lines{"x.yaml:2:17: buffer.alpha: is 0, so a VOQ holds its buffer.reserved of 1KiB "
                    "alone, and the longest frame takes 1536B; write a buffer.reserved of 1536B or "
                    "more, or an alpha"});
}

TEST(Thresholds, WhatIsSharedNeedsNoReserve) {
    const auto loaded = load_text(two_ports + "buffer: {alpha: 1/128}\n", "x.yaml");
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(loaded->settings.buffer.alpha_128, 1U);
    EXPECT_EQ(load_text(two_ports + "buffer: {alpha: 0, reserved: 64KiB}\n", "x.yaml")
                  ->settings.buffer.alpha_128,
              0U);
}

}  // namespace
}  // namespace sluice::config

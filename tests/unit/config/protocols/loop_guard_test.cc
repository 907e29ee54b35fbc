#include "config/protocols/loop_guard.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

TEST(LoopGuardOf, IsOffUnlessWritten) {
    const auto read = load_text(
        "defaults: {loop_guard: {action: shut, recovery: 5s}}\n"
        "ports:\n"
        "  - {device: ring:a}\n"
        "  - {device: ring:b, loop_guard: {action: warn}}\n"
        "  - {device: ring:c, loop_guard: {action: off}}\n",
        "x.yaml");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->ports[0].loop_guard.action, LoopGuardAction::shut);
    EXPECT_EQ(read->ports[0].loop_guard.recovery, Nanos(5'000'000'000));
    EXPECT_EQ(read->ports[1].loop_guard.action, LoopGuardAction::warn);
    EXPECT_EQ(read->ports[2].loop_guard.action, LoopGuardAction::off);
    const auto bare = load_text("ports: [{device: ring:a}]", "x.yaml");
    ASSERT_TRUE(bare.has_value());
    EXPECT_EQ(bare->ports[0].loop_guard.action, LoopGuardAction::off);
    EXPECT_EQ(bare->ports[0].loop_guard.recovery, LoopGuardConfig{}.recovery);
    EXPECT_FALSE(bare->settings.ports[0].forwards_bpdus);
}

TEST(LoopGuardOf, WhatHasNoMeaningIsRefused) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - {device: ring:a, loop_guard: {action: warn, recovery: 5s}}\n"
                  "  - {device: ring:b, format: afh_lite, loop_guard: {action: shut}}\n"),
        (Lines{"x.yaml:2:59: ports[0].loop_guard.recovery: has no meaning with action: warn; leave "
               "it out, or write action: shut",
               "x.yaml:3:61: ports[1].loop_guard.action: a port with frames of format afh_lite "
               "sends no probes; write off, or format: standard"}));
}

TEST(LoopGuardOf, BpdusAreOfTheWholeSwitch) {
    const auto read =
        load_text("bpdus: forward\nports: [{device: ring:a}, {device: ring:b}]", "x.yaml");
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(read->settings.ports[0].forwards_bpdus);
    EXPECT_TRUE(read->settings.ports[1].forwards_bpdus);
}

}  // namespace
}  // namespace sluice::config

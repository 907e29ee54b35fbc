#include "tools/sim/fabric/simulation.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sluice::sim {
namespace {

Scenario scenario(std::string_view algorithm, double load, uint64_t slots = 20000) {
    return {.algorithm = find_algorithm(algorithm),
            .tuning = {.ports = 8, .iterations = 3},
            .load = load,
            .warmup = slots / 4,
            .slots = slots};
}

std::string text_of(const Outcome& seen) {
    return fmt::format("{} of {}, p99 {}, max {}, waiting {}", seen.departed, seen.arrived,
                       seen.p99_delay, seen.max_delay, seen.waiting_after);
}

TEST(Simulation, CellsLeaveWaitOrAreLost) {
    for (const Algorithm& algorithm : algorithms()) {
        for (const double load : {0.3, 0.9, 1.0}) {
            const Outcome seen = simulate(scenario(algorithm.name, load, 2000));
            EXPECT_EQ(seen.arrived + seen.waiting_before,
                      seen.departed + seen.lost + seen.waiting_after)
                << algorithm.name << " at " << load;
            EXPECT_GT(seen.departed, 0U);
        }
    }
}

TEST(Simulation, ACellThatMeetsNobodyWaitsForNothing) {
    const Outcome seen = simulate(scenario("islip", 0.001));
    EXPECT_LT(seen.mean_delay, 0.01);
    EXPECT_EQ(seen.p99_delay, 0U);
    EXPECT_EQ(seen.throughput_of_offered, 1);
}

TEST(Simulation, ThroughputIsOfThePortsAndOfWhatCame) {
    const Outcome seen = simulate(scenario("islip", 0.5));
    EXPECT_EQ(seen.throughput, static_cast<double>(seen.departed) / (20000.0 * 8));
    EXPECT_NEAR(seen.throughput, 0.5, 0.01);
    EXPECT_NEAR(seen.throughput_of_offered, 1, 0.001);
}

TEST(Simulation, WhatCannotKeepUpIsCalledUnstable) {
    EXPECT_TRUE(simulate(scenario("fifo", 0.5)).stable);
    const Outcome seen = simulate(scenario("fifo", 0.8));
    EXPECT_FALSE(seen.stable);
    EXPECT_EQ(seen.lost, 0U);
    EXPECT_NEAR(seen.throughput, 0.618, 0.01);
}

TEST(Simulation, MemoryIsBoundedAndWhatDoesNotFitIsCounted) {
    const Outcome seen = simulate(scenario("fifo", 1, 300000));
    EXPECT_GT(seen.lost, 0U);
    EXPECT_FALSE(seen.stable);
    EXPECT_LE(seen.waiting_after, 8 * queue_limit);
}

TEST(Simulation, TheWarmUpIsNotMeasured) {
    Scenario late = scenario("islip", 0.9, 1000);
    late.warmup = 5000;
    EXPECT_NEAR(static_cast<double>(simulate(late).arrived), 0.9 * 8 * 1000, 150);
}

TEST(Simulation, AnotherSeedGivesOtherNumbers) {
    Scenario other = scenario("islip", 0.9);
    const std::string first = text_of(simulate(other));
    EXPECT_EQ(text_of(simulate(other)), first);
    other.tuning.seed = 2;
    EXPECT_NE(text_of(simulate(other)), first);
}

TEST(Simulation, TheTrafficDoesNotDependOnTheAlgorithm) {
    const uint64_t arrived = simulate(scenario("oq", 0.9)).arrived;
    for (const Algorithm& algorithm : algorithms()) {
        EXPECT_EQ(simulate(scenario(algorithm.name, 0.9)).arrived, arrived) << algorithm.name;
    }
}

TEST(Simulation, NobodyIsFasterThanOutputQueues) {
    const double floor = simulate(scenario("oq", 0.9)).mean_delay;
    for (const Algorithm& algorithm : algorithms()) {
        EXPECT_GE(simulate(scenario(algorithm.name, 0.9)).mean_delay, floor) << algorithm.name;
    }
}

// Written down once: every run, on any machine, gives these.
TEST(Simulation, TheNumbersAreTheSameOnEveryMachine) {
    const std::vector<std::pair<std::string_view, std::string>> known = {
        {"islip", "27777 of 27785, p99 12, max 29, waiting 16"},
        {"pim", "27781 of 27785, p99 10, max 23, waiting 14"},
        {"rrm", "27782 of 27785, p99 11, max 24, waiting 17"},
        {"ilqf", "27784 of 27785, p99 10, max 34, waiting 10"},
        {"serena", "27784 of 27785, p99 15, max 51, waiting 12"},
        {"sw_qps", "27788 of 27785, p99 6, max 9, waiting 8"},
        {"mwm", "27785 of 27785, p99 9, max 51, waiting 7"},
        {"fifo", "27408 of 27785, p99 303, max 316, waiting 724"},
        {"oq", "27786 of 27785, p99 5, max 9, waiting 5"},
    };
    for (const auto& [algorithm, numbers] : known) {
        Scenario of = scenario(algorithm, 0.7, 5000);
        of.traffic = CellPattern::log_diagonal;
        EXPECT_EQ(text_of(simulate(of)), numbers) << algorithm;
    }
}

}  // namespace
}  // namespace sluice::sim

#include "tools/gen/benchmarks/search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace sluice::gen {
namespace {

using Device = std::function<bool(double rate, std::size_t trial)>;  // whether it passes

struct Outcome {
    double fastest;
    std::vector<double> rates;  // of all trials
};

constexpr double first_rate = 1'000'000;

Outcome found(const Device& passes, double resolution = 0.01) {
    std::vector<double> rates = {first_rate};
    Search search(first_rate, passes(first_rate, 0), resolution);
    while (const auto rate = search.next()) {
        rates.push_back(*rate);
        search.record(passes(*rate, rates.size() - 1));
    }
    return {search.fastest(), rates};
}

std::size_t most_trials(double resolution) {
    const auto halvings = static_cast<std::size_t>(std::ceil(std::log2(1 / resolution)));
    return 1 + (halvings + 1) * (1 + Search::most_repeats);
}

Device loses_above(double limit) {
    return [limit](double rate, std::size_t) { return rate <= limit; };
}

TEST(Search, HalvesUntilAStepIsLeftAndTriesTheLastFailureAgain) {
    EXPECT_EQ(found(loses_above(600'000), 0.125).rates,
              (std::vector<double>{1'000'000, 500'000, 750'000, 625'000, 625'000}));
}

TEST(Search, FindsWhereADeviceBeginsToLoseToAStep) {
    for (const double resolution : {0.1, 0.01, 0.001}) {
        for (double limit = 2000; limit < first_rate; limit += 7919) {
            const Outcome outcome = found(loses_above(limit), resolution);
            EXPECT_LE(outcome.fastest, limit);
            EXPECT_GE(outcome.fastest, limit - resolution * first_rate);
        }
    }
}

TEST(Search, NeedsOneTrialWhereNothingIsLost) {
    const Outcome outcome = found(loses_above(2 * first_rate));
    EXPECT_EQ(outcome.fastest, first_rate);
    EXPECT_EQ(outcome.rates.size(), 1U);
}

TEST(Search, EndsWhereEverythingIsLost) {
    const Outcome outcome = found([](double, std::size_t) { return false; });
    EXPECT_EQ(outcome.fastest, 0);
    EXPECT_LE(outcome.rates.back(), 0.01 * first_rate);
    EXPECT_EQ(outcome.rates.size(), 9U);  // the first, seven halvings, the last once more
}

TEST(Search, EndsWhereNothingCouldBeSent) {
    const Search search(0, false, 0.01);
    EXPECT_FALSE(search.next());
    EXPECT_EQ(search.fastest(), 0);
}

TEST(Search, IsNotMisledByOneLossThatWasChance) {
    constexpr double limit = 700'000;
    for (std::size_t unlucky = 0; unlucky < 9; ++unlucky) {
        const Outcome outcome = found([unlucky](double rate, std::size_t trial) {
            return rate <= limit && trial != unlucky;
        });
        EXPECT_LE(outcome.fastest, limit) << unlucky;
        EXPECT_GE(outcome.fastest, limit - 0.01 * first_rate) << unlucky;
    }
}

TEST(Search, GoesBackUpToTheFirstRate) {
    const Outcome outcome = found([](double, std::size_t trial) { return trial != 0; });
    EXPECT_EQ(outcome.fastest, first_rate);
}

// Each trial passes or fails by a bit of `fate`, so in every way there is of that many trials.
TEST(Search, EndsInBoundedTrialsWhateverPasses) {
    constexpr double resolution = 0.1;
    for (uint64_t fate = 0; fate < uint64_t{1} << 16; ++fate) {
        double fastest_passed = 0;
        const Outcome outcome = found(
            [&](double rate, std::size_t trial) {
                const bool passes = (fate >> (trial % 16) & 1) != 0;
                if (passes) fastest_passed = std::max(fastest_passed, rate);
                return passes;
            },
            resolution);
        ASSERT_LE(outcome.rates.size(), most_trials(resolution)) << fate;
        ASSERT_EQ(outcome.fastest, fastest_passed) << fate;
    }
}

}  // namespace
}  // namespace sluice::gen

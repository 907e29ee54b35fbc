#include "tools/gen/benchmarks/mlr_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "tools/gen/random.h"

namespace sluice::gen {
namespace {

using namespace literals;

constexpr double most = 1'000'000;
constexpr double least = 1'000;

// The share that a device loses at a load for a time.
using Device = std::function<double(double load, Nanos duration)>;

Device carries(double limit) {
    return [limit](double load, Nanos) { return load <= limit ? 0 : 1 - limit / load; };
}

// Loses a little in one of so many trials, whatever the load.
Device noisy(double limit, unsigned one_in, uint64_t seed) {
    return [=, random = Random(seed)](double load, Nanos) mutable {
        const bool chance = random.next() % one_in == 0;
        return std::max(chance ? 0.001 : 0, carries(limit)(load, Nanos()));
    };
}

struct Outcome {
    std::optional<double> lower;
    std::optional<double> upper;
    double throughput;
    std::vector<MlrSearch::Next> trials;

    [[nodiscard]] Nanos time() const {
        Nanos sum;
        for (const auto& trial : trials) sum = sum + trial.duration;
        return sum;
    }
};

Outcome find(const Device& device, const MlrGoal& goal = {}) {
    MlrSearch search(goal, least, most);
    std::vector<MlrSearch::Next> trials;
    while (const auto next = search.next()) {
        EXPECT_GE(next->load, least);
        EXPECT_LE(next->load, most);
        trials.push_back(*next);
        if (trials.size() > 5000) {
            ADD_FAILURE() << "has no end";
            break;
        }
        search.record(device(next->load, next->duration));
    }
    return {search.lower(), search.upper(), search.conditional_throughput(), std::move(trials)};
}

void expect_around(const Outcome& found, double limit, const MlrGoal& goal = {}) {
    ASSERT_TRUE(found.lower && found.upper);
    EXPECT_LE(*found.lower, limit);
    EXPECT_GT(*found.upper, limit);
    EXPECT_LE(*found.upper - *found.lower, goal.width * *found.upper);
}

TEST(MlrSearch, FindsBothBoundsOfAnyLimit) {
    for (double limit = 1'500; limit < most; limit *= 1.37) {
        const Outcome found = find(carries(limit));
        expect_around(found, limit);
        EXPECT_EQ(found.throughput, *found.lower) << "nothing of it is lost";
    }
}

TEST(MlrSearch, BeginsAtTheHighestLoadAndGoesOnAtWhatCameThrough) {
    const Outcome found = find(carries(400'000));
    EXPECT_EQ(found.trials[0].load, most);
    EXPECT_DOUBLE_EQ(found.trials[1].load, 400'000);
}

TEST(MlrSearch, EndsAtTheHighestLoadWhereNothingIsLost) {
    const Outcome found = find(carries(2 * most));
    EXPECT_EQ(found.lower, most);
    EXPECT_FALSE(found.upper);
    EXPECT_EQ(found.throughput, most);
}

TEST(MlrSearch, EndsAtTheLeastLoadWhereEvenOfThatTooMuchIsLost) {
    const Outcome found = find([](double, Nanos) { return 1.0; });
    EXPECT_FALSE(found.lower);
    EXPECT_EQ(found.upper, least);
    EXPECT_EQ(found.throughput, 0);
}

// A search that believes each trial fails here: if one trial of five loses frames by chance, it
// passes ten halvings in one of ten searches.
TEST(MlrSearch, IsNotMisledByChance) {
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        const double limit = 100'000 + 20'000 * static_cast<double>(seed);
        expect_around(find(noisy(limit, 5, seed)), limit);
    }
}

TEST(MlrSearch, TakesChanceForTheDeviceWhereNothingMayBeExceeded) {
    const MlrGoal strict{.exceed_ratio = 0};
    unsigned below = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const Outcome found = find(noisy(500'000, 5, seed), strict);
        below += !found.lower || *found.lower < 490'000 ? 1U : 0U;
    }
    EXPECT_GE(below, 15U) << "so the exceed ratio is what stands it";
}

TEST(MlrSearch, AcceptsTheLossRatioOfItsGoal) {
    const MlrGoal partial{.loss_ratio = 0.1};
    expect_around(find(carries(450'000), partial), 500'000, partial);
    const Outcome found = find(carries(450'000), partial);
    EXPECT_NEAR(found.throughput, 450'000, 3'000) << "what comes through, not what is offered";
}

TEST(MlrSearch, SpendsMostOfItsTimeOnLongTrialsNearTheBounds) {
    const MlrGoal goal{.final_trial = 10_s, .duration_sum = 50_s};
    const Outcome found = find(carries(312'345), goal);
    expect_around(found, 312'345, goal);
    EXPECT_EQ(found.trials.front().duration, 1_s);
    EXPECT_EQ(found.trials.back().duration, 10_s);
    Nanos near;
    for (const auto& trial : found.trials) {
        const bool is_near = std::abs(trial.load - 312'345) < 0.03 * 312'345;
        if (is_near && trial.duration == 10_s) near = near + trial.duration;
    }
    EXPECT_GT(near.count(), found.time().count() / 2);
}

TEST(MlrSearch, StopsTryingALoadOnceNothingCanChangeIt) {
    // More than half of 21 trials decide.
    for (const auto& [load, times] : [] {
             std::map<double, int> count;
             for (const auto& trial : find(carries(312'345)).trials) ++count[trial.load];
             return count;
         }()) {
        EXPECT_LE(times, 13) << load;
    }
}

TEST(MlrSearch, IsOneOfRfc2544WhereOneTrialIsTheSum) {
    const MlrGoal plain{.width = 0.01, .final_trial = 60_s, .duration_sum = 60_s};
    const Outcome found = find(carries(312'345), plain);
    expect_around(found, 312'345, plain);
    const auto long_trials = std::ranges::count_if(
        found.trials, [](const auto& trial) { return trial.duration == 60_s; });
    EXPECT_LE(long_trials, 5);
}

TEST(MlrSearch, GoesUpAgainWhereShortTrialsSaidTooLittle) {
    // Short trials lose, long ones do not.
    const Outcome found = find(
        [](double load, Nanos duration) {
            return carries(duration < 5_s ? 200'000 : 600'000)(load, duration);
        },
        {.final_trial = 10_s, .duration_sum = 10_s});
    expect_around(found, 600'000);
}

}  // namespace
}  // namespace sluice::gen

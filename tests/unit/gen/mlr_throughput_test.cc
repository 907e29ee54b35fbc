#include "tools/gen/benchmarks/mlr_throughput.h"

#include <gtest/gtest.h>

namespace sluice::gen {
namespace {

const NamedMix frames_of_64{"64", FrameMix::fixed(64)};
const auto unheard = [](const std::string&) {};

// A device behind two senders, which send at most a million frames a second each. It carries
// `limit` in all, and loses one frame in a hundred in every third trial.
RunTrial noisy_device(double limit) {
    return [limit, number = 0](const TrialPlan& plan) mutable -> std::optional<Trial> {
        const double asked = frames_a_second(plan.rate, plan.frames).value_or(1e6);
        const double each = std::min(asked, 1e6);
        Trial trial;
        trial.summary.seconds = static_cast<double>(plan.duration.count()) / 1e9;
        trial.fastest_sender = each;
        Results& results = trial.summary.results;
        results.offered = static_cast<uint64_t>(2 * each * trial.summary.seconds);
        const double carried = std::min(2 * each, limit) * trial.summary.seconds;
        const double share = ++number % 3 == 0 ? 0.99 : 1;
        results.delivered = std::min(results.offered, static_cast<uint64_t>(carried * share));
        results.lost = results.offered - results.delivered;
        return trial;
    };
}

MlrThroughput find(RunTrial device, const Rate& first = {}) {
    return find_bounds(frames_of_64, first, 2, {}, device, unheard);
}

TEST(MlrThroughput, FindsTheBoundsOfANoisyDevice) {
    const MlrThroughput found = find(noisy_device(600'000));
    ASSERT_TRUE(found.complete && found.lower && found.upper);
    EXPECT_LE(*found.lower, 600'001);
    EXPECT_GE(*found.upper, 600'000);
    EXPECT_LE(*found.upper - *found.lower, 0.0051 * *found.upper);
    EXPECT_EQ(found.conditional, *found.lower);
    EXPECT_EQ(found.limit, Limit::loss);
    // The binary search ends below this throughput.
    const auto device = noisy_device(600'000);
    const Throughput binary = find_throughput(
        frames_of_64, {}, 2, {},
        [&](const Rate& rate) {
            return device({.frames = frames_of_64.frames,
                           .rate = rate,
                           .duration = Nanos(1'000'000'000),
                           .change = {}});
        },
        [](const Throughput&) {});
    EXPECT_LT(binary.frames_per_second(), 590'000);
}

TEST(MlrThroughput, SaysWhatItsLimitIsWhereNothingIsLost) {
    EXPECT_EQ(find(noisy_device(3e6)).limit, Limit::senders);
    const MlrThroughput found = find(noisy_device(3e6), Rate::frames(100'000));
    EXPECT_EQ(found.limit, Limit::rate);
    EXPECT_FALSE(found.upper);
    EXPECT_EQ(found.lower, 200'000);
}

TEST(MlrThroughput, HasNoLowerBoundWhereNothingComes) {
    const MlrThroughput found = find(noisy_device(0));
    EXPECT_TRUE(found.complete);
    EXPECT_FALSE(found.lower);
    const Json json = to_json(2, 1, {}, {found});
    EXPECT_TRUE(json["throughput"][0]["lower_fps"].is_null());
    EXPECT_TRUE(json["throughput"][0]["limit"].is_null());
    EXPECT_FALSE(to_text({}, {found}).empty());
}

TEST(MlrThroughput, KeepsItsTrialsWhenItIsBrokenOff) {
    auto device = noisy_device(600'000);
    int left = 4;
    const MlrThroughput found = find([&](const TrialPlan& plan) -> std::optional<Trial> {
        if (left-- == 0) return {};
        return device(plan);
    });
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.trials.size(), 4U);
}

TEST(MlrThroughput, HasTheKeysThatScriptsRead) {
    const Json json = to_json(2, 16, {}, {find(noisy_device(600'000))});
    EXPECT_EQ(json["search"], "mlr");
    EXPECT_EQ(json["goal"]["sum_seconds"], 21);
    EXPECT_EQ(json["goal"]["exceed_percent"], 50);
    const Json& row = json["throughput"][0];
    EXPECT_EQ(row["frame_bytes"], 64);
    EXPECT_GT(row["upper_fps"], row["lower_fps"]);
    EXPECT_TRUE(row["trials"][0]["asked_fps"].is_null());
    EXPECT_EQ(row["trials"][1]["seconds"], 1);
}

}  // namespace
}  // namespace sluice::gen

#include "tools/gen/benchmarks/throughput.h"

#include <gtest/gtest.h>

namespace sluice::gen {
namespace {

const NamedMix short_frames{"64", FrameMix::fixed(64)};
constexpr auto nobody = [](const Throughput&) {};

// A device behind two senders: it is offered no more than `offers` frames a second, and passes
// `passes` of them.
Measure device(double offers, double passes) {
    return [=](const Rate& rate) {
        const double asked =
            rate.unit == Rate::Unit::unlimited ? offers : 2 * static_cast<double>(rate.value);
        Trial trial;
        trial.summary.ports = 2;
        trial.summary.seconds = 10;
        Results& results = trial.summary.results;
        results.offered = static_cast<uint64_t>(10 * std::min(asked, offers));
        results.delivered = std::min(results.offered, static_cast<uint64_t>(10 * passes));
        results.lost = results.offered - results.delivered;
        results.octets_delivered = results.delivered * 64;
        results.latency.record(results.delivered);
        trial.fastest_sender = trial.offered() / 2;
        return trial;
    };
}

Throughput find(const Measure& measure, const Rate& first = {}, SearchSettings settings = {}) {
    return find_throughput(short_frames, first, 2, settings, measure, nobody);
}

TEST(Throughput, IsTheFastestRateWithoutLoss) {
    const Throughput found = find(device(1'000'000, 300'000));
    ASSERT_TRUE(found.best && found.complete);
    const Trial& best = found.trials[*found.best];
    EXPECT_EQ(best.summary.results.lost, 0U);
    EXPECT_LE(found.frames_per_second(), 300'000);
    EXPECT_GE(found.frames_per_second(), 290'000);
    EXPECT_DOUBLE_EQ(found.bits_per_second(), found.frames_per_second() * 84 * 8);
    EXPECT_EQ(found.limit, Limit::loss);
    EXPECT_FALSE(found.trials[0].asked);
    EXPECT_FALSE(found.trials[0].passed);
}

TEST(Throughput, SaysWhereTheSendersWereTheLimit) {
    const Throughput found = find(device(1'000'000, 5'000'000));
    EXPECT_EQ(found.trials.size(), 1U);
    EXPECT_EQ(found.limit, Limit::senders);
    EXPECT_EQ(find(device(1'000'000, 5'000'000), Rate::frames(600'000)).limit, Limit::senders);
    EXPECT_NE(to_text({}, {found}).find("could not send faster"), std::string::npos);
}

TEST(Throughput, IsNoMoreThanWasAskedFor) {
    const Throughput found = find(device(1'000'000, 5'000'000), Rate::bits(67'200'000));
    EXPECT_EQ(found.limit, Limit::rate);
    EXPECT_DOUBLE_EQ(*found.trials[0].asked, 200'000);
}

TEST(Throughput, AcceptsTheLossThatItMay) {
    const Throughput found = find(device(1'000'000, 900'000), {}, {.accepted_loss = 0.1});
    EXPECT_EQ(found.trials.size(), 1U);
    EXPECT_DOUBLE_EQ(found.frames_per_second(), 900'000);
    EXPECT_GT(find(device(1'000'000, 900'000), {}, {.accepted_loss = 0.09}).trials.size(), 1U);
}

// A trial with a stalled generator passes at a rate that a device would not carry, and so proves
// nothing.
TEST(Throughput, IsNoMoreThanWasDelivered) {
    const Measure whole = device(1'000'000, 300'000);
    const Measure stalled = device(1'000, 300'000);
    int number = 0;
    const Throughput found = find([&](const Rate& rate) {
        return ++number == 4 ? stalled(rate) : whole(rate);  // asked for 375,000
    });
    EXPECT_DOUBLE_EQ(found.frames_per_second(), 250'000);
    EXPECT_EQ(found.limit, Limit::senders);
}

TEST(Throughput, IsNothingWhereNothingPasses) {
    const Throughput found = find(device(1'000'000, 0));
    EXPECT_TRUE(found.complete);
    EXPECT_FALSE(found.best);
    const Json row = to_json(2, 1, {}, {found})["throughput"][0];
    EXPECT_EQ(row["rate_fps"], 0);
    EXPECT_TRUE(row["limit"].is_null() && row["latency_ns"].is_null());
    EXPECT_FALSE(to_text({}, {found}).empty());
}

TEST(Throughput, KeepsWhatWasFoundWhenItIsBrokenOff) {
    const Measure whole = device(1'000'000, 300'000);
    int left = 3;
    const Throughput found = find([&](const Rate& rate) -> std::optional<Trial> {
        if (left-- == 0) return {};
        return whole(rate);
    });
    EXPECT_FALSE(found.complete);
    EXPECT_EQ(found.trials.size(), 3U);
    EXPECT_TRUE(found.best);
}

TEST(Throughput, ReportsEachTrial) {
    std::vector<std::string> progress;
    const Throughput found = find_throughput(
        short_frames, {}, 2, {}, device(1'000'000, 300'000),
        [&](const Throughput& so_far) { progress.push_back(progress_text(so_far)); });
    ASSERT_EQ(progress.size(), found.trials.size());
    EXPECT_EQ(progress[0],
              "64 octets, trial 1 at max: offered 1 M/s, lost 7,000,000 of 10,000,000: failed");
}

TEST(Throughput, HasTheKeysThatScriptsRead) {
    const Throughput found = find(device(1'000'000, 300'000));
    const Json json = to_json(2, 16, {}, {found});
    EXPECT_EQ(json["ports"], 2);
    EXPECT_EQ(json["addresses"], 16);
    EXPECT_DOUBLE_EQ(json["resolution_percent"], 1);
    const Json& row = json["throughput"][0];
    EXPECT_EQ(row["frame_bytes"], 64);
    EXPECT_DOUBLE_EQ(row["mpps"], found.frames_per_second() / 1e6);
    EXPECT_EQ(row["limit"], "loss");
    EXPECT_EQ(row["latency_ns"]["max"], found.trials[*found.best].summary.results.delivered);
    EXPECT_EQ(row["trials"].size(), found.trials.size());
    EXPECT_TRUE(row["trials"][0]["asked_fps"].is_null());
    for (const char* key :
         {"offered_fps", "offered", "delivered", "lost", "seconds", "passed", "latency_ns"}) {
        EXPECT_TRUE(row["trials"][1].contains(key)) << key;
    }
}

}  // namespace
}  // namespace sluice::gen

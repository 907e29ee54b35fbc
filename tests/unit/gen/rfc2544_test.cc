#include "tools/gen/benchmarks/rfc2544.h"

#include <gtest/gtest.h>

#include <set>

#include "tools/gen/benchmarks/rfc2544_report.h"

namespace sluice::gen {
namespace {

const NamedMix of_64{"64", FrameMix::fixed(64)};
const auto nobody_listens = [](const std::string&) {};

// The device under test, behind a sender of at most a million frames a second: its rate, its buffer
// in frames, and how long it stays lossy after an overload.
struct Device {
    double forwards = 300'000;
    double holds = 1'000;
    Nanos recovers_in{5'000'000};
    std::vector<TrialPlan> plans;

    Trial run(const TrialPlan& plan) {
        plans.push_back(plan);
        constexpr double fastest = 1'000'000;
        const double asked = frames_a_second(plan.rate, plan.frames).value_or(fastest);
        const double rate = std::min(asked, fastest);
        const double time = static_cast<double>(plan.duration.count()) / 1e9;
        double sent = rate * time;
        if (plan.frames_each > 0) sent = static_cast<double>(plan.frames_each);
        if (plan.change) {
            const double before = static_cast<double>(plan.change->after.count()) / 1e9;
            sent = rate * before +
                   frames_a_second(plan.change->rate, plan.frames).value() * (time - before);
        }
        const double seconds = plan.frames_each > 0 ? sent / rate : time;
        const double overload = plan.change ? rate * seconds / 2 : sent;
        const double room = holds + forwards * (plan.change ? seconds / 2 : seconds);
        Trial trial;
        trial.summary.ports = 2;
        trial.summary.seconds = seconds;
        Results& results = trial.summary.results;
        results.offered = static_cast<uint64_t>(sent);
        results.lost = static_cast<uint64_t>(std::max(overload - room, 0.0));
        results.delivered = results.offered - results.lost;
        results.octets_delivered = results.delivered * 64;
        results.latency.record(static_cast<uint64_t>(rate / 10), results.delivered);
        trial.fastest_sender = rate;
        if (plan.change && results.lost > 0) trial.lossy_after = recovers_in;
        return trial;
    }
};

Rfc2544Settings settings() {
    Rfc2544Settings settings;
    settings.trial = Nanos(10'000'000'000);
    settings.latency_trials = 3;
    settings.bursts = 4;
    settings.recoveries = 2;
    return settings;
}

Rfc2544 run(Device& device, const Rfc2544Settings& settings) {
    return run_rfc2544(
        of_64, settings, [&](const TrialPlan& plan) { return device.run(plan); }, nobody_listens);
}

TEST(Rfc2544, FindsTheThroughputAndTheLatencyAtIt) {
    Device device;
    const Rfc2544 found = run(device, settings());
    ASSERT_TRUE(found.complete);
    const double fps = found.throughput.frames_per_second();
    EXPECT_NEAR(fps, 300'000, 10'000);
    ASSERT_TRUE(found.latency);
    EXPECT_EQ(found.latency->means.size(), 3U);
    EXPECT_EQ(found.latency->lost, 0U);
    EXPECT_NEAR(found.latency->offered_fps, fps, 1);
    EXPECT_NEAR(found.latency->mean(), fps / 10, fps / 10 / 64);
    // Twice as long as a trial, as the RFC's 120 s are of its 60 s.
    const auto long_ones = std::ranges::count_if(device.plans, [](const TrialPlan& plan) {
        return !plan.change && plan.duration == Nanos(20'000'000'000) && plan.frames_each == 0;
    });
    EXPECT_EQ(long_ones, 3);
}

TEST(Rfc2544, LowersTheLoadUntilTwoInARowLoseNothing) {
    Device device;
    device.holds = 0;
    const Rfc2544 found = run(device, settings());
    std::vector<unsigned> loads;
    for (const LossPoint& point : found.losses) loads.push_back(point.load_percent);
    EXPECT_EQ(loads, (std::vector<unsigned>{100, 90, 80, 70, 60, 50, 40, 30, 20}));
    EXPECT_NEAR(found.losses[0].trial.loss(), 0.7, 1e-6);
    EXPECT_NEAR(found.losses[6].trial.loss(), 0.25, 1e-6);
    EXPECT_EQ(found.losses[7].trial.loss(), 0);
}

TEST(Rfc2544, HasNoLoadBelowOneStepWhereAllLose) {
    Device device;
    device.forwards = 0;
    device.holds = 0;
    Rfc2544Settings of_seven = settings();
    of_seven.loss_step = 7;
    const Rfc2544 found = run(device, of_seven);
    EXPECT_EQ(found.losses.size(), 15U);  // 100, 93, ... 2
    EXPECT_EQ(found.losses.back().load_percent, 2U);
    EXPECT_FALSE(found.latency || found.recovery) << "there is no throughput";
}

TEST(Rfc2544, SearchesTheLongestBurstAndWorksOutTheBuffer) {
    Device device;
    device.holds = 140'000;
    const Rfc2544 found = run(device, settings());
    ASSERT_TRUE(found.back_to_back);
    const BackToBack& burst = *found.back_to_back;
    EXPECT_TRUE(burst.is_bounded);
    EXPECT_EQ(burst.longest.size(), 4U);
    // The buffer fills while 700,000 frames a second more come than go.
    EXPECT_NEAR(burst.mean(), 200'000, 20'000);
    EXPECT_NEAR(burst.implied_seconds(), 0.2, 0.02);
    EXPECT_NEAR(burst.corrected_seconds(), 0.14, 0.015);
}

TEST(Rfc2544, SearchesNoBurstWhereTheLongestPasses) {
    Device device;
    device.forwards = 2'000'000;
    const Rfc2544 found = run(device, settings());
    ASSERT_TRUE(found.back_to_back);
    EXPECT_FALSE(found.back_to_back->is_bounded);
    EXPECT_EQ(found.back_to_back->longest, std::vector<double>{2'000'000}) << "two seconds";
}

TEST(Rfc2544, OverloadsByATenthAndThenHalves) {
    Device device;
    device.holds = 0;
    const Rfc2544 found = run(device, settings());
    ASSERT_TRUE(found.recovery && found.recovery->mean());
    EXPECT_EQ(found.recovery->lossy, (std::vector<Nanos>(2, Nanos(5'000'000))));
    EXPECT_EQ(*found.recovery->mean(), 5e6);
    const TrialPlan& last = device.plans.back();
    ASSERT_TRUE(last.change);
    EXPECT_NEAR(static_cast<double>(last.rate.value), 1.1 * found.throughput.frames_per_second(),
                1);
    EXPECT_NEAR(static_cast<double>(last.change->rate.value),
                0.5 * static_cast<double>(last.rate.value), 1);
    EXPECT_EQ(last.change->after, Nanos(10'000'000'000));
}

TEST(Rfc2544, CallsNoRecoveryWhatWasNoOverload) {
    Device device;
    device.forwards = 2'000'000;
    const Rfc2544 found = run(device, settings());
    ASSERT_TRUE(found.recovery);
    EXPECT_FALSE(found.recovery->mean());
    EXPECT_EQ(found.recovery->without_loss, 2U);
    EXPECT_EQ(found.recovery->overload_fps, 1'000'000) << "no more than 100 %";
}

TEST(Rfc2544, LeavesOutWhatIsNotAskedFor) {
    Device device;
    Rfc2544Settings little = settings();
    little.latency_trials = little.bursts = little.recoveries = little.loss_step = 0;
    const Rfc2544 found = run(device, little);
    EXPECT_TRUE(found.complete);
    EXPECT_FALSE(found.latency || found.back_to_back || found.recovery);
    EXPECT_TRUE(found.losses.empty());
    EXPECT_EQ(device.plans.size(), found.throughput.trials.size());
}

TEST(Rfc2544, KeepsWhatItHasWhenItIsBrokenOff) {
    for (std::size_t last = 0; last < 40; ++last) {
        Device device;
        const Rfc2544 found = run_rfc2544(
            of_64, settings(),
            [&](const TrialPlan& plan) -> std::optional<Trial> {
                if (device.plans.size() == last) return {};
                return device.run(plan);
            },
            nobody_listens);
        EXPECT_FALSE(found.complete) << last;
        Rfc2544Report report{2, 1, settings(), {found}};
        EXPECT_FALSE(report.whole());
        EXPECT_FALSE(report.text().empty() || report.csv().empty());
    }
}

// --- reports -------------------------------------------------------------------------------------

Rfc2544Report report_of(Device device) { return {2, 1, settings(), {run(device, settings())}}; }

TEST(Rfc2544Report, HasTheKeysThatScriptsRead) {
    const Json json = report_of({}).json();
    EXPECT_EQ(json["trial_seconds"], 10);
    EXPECT_TRUE(json["complete"]);
    const Json& row = json["rfc2544"][0];
    EXPECT_EQ(row["frame_bytes"], 64);
    EXPECT_GT(row["throughput"]["rate_fps"], 0);
    EXPECT_GT(row["latency"]["latency_ns"]["p99"], 0);
    EXPECT_EQ(row["latency"]["trials"], 3);
    EXPECT_EQ(row["frame_loss"][0]["load_percent"], 100);
    EXPECT_TRUE(row["back_to_back"]["bounded"]);
    EXPECT_EQ(row["recovery"]["mean_ns"], 5e6);
}

TEST(Rfc2544Report, SaysInJsonWhatWasNotMeasured) {
    Device device;
    device.forwards = 2'000'000;
    const Json row = report_of(device).json()["rfc2544"][0];
    EXPECT_TRUE(row["back_to_back"]["buffer_ns"].is_null());
    EXPECT_TRUE(row["recovery"]["mean_ns"].is_null());
}

TEST(Rfc2544Report, HasATableATest) {
    const std::string text = report_of({}).text();
    for (const char* part : {"26.1", "26.2", "26.3", "26.4", "26.5", "5 ms"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
    }
    Device device;
    device.forwards = 2'000'000;
    EXPECT_NE(report_of(device).text().find("above 2000000"), std::string::npos);
}

TEST(Rfc2544Report, HasALineAFigureInCsv) {
    const std::string csv = report_of({}).csv();
    EXPECT_TRUE(csv.starts_with("frame_bytes,test,load_percent,quantity,value\n"));
    std::set<std::string> keys;
    for (std::size_t at = 0; at < csv.size();) {
        const std::size_t end = csv.find('\n', at);
        ASSERT_NE(end, std::string::npos);
        const std::string line = csv.substr(at, end - at);
        EXPECT_EQ(std::ranges::count(line, ','), 4) << line;
        EXPECT_TRUE(keys.insert(line.substr(0, line.rfind(','))).second) << line << " is twice";
        at = end + 1;
    }
    for (const char* key :
         {"64,throughput,,rate_fps", "64,latency,,latency_ns.p99", "64,frame_loss,90,loss_percent",
          "64,back_to_back,,frames.mean", "64,recovery,,mean_ns"}) {
        EXPECT_TRUE(keys.contains(key)) << key;
    }
}

}  // namespace
}  // namespace sluice::gen

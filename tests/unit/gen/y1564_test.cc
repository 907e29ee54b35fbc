#include "tools/gen/benchmarks/y1564.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tools/gen/benchmarks/y1564_report.h"

namespace sluice::gen {
namespace {

using namespace literals;

const auto nobody_listens = [](const std::string&) {};

// The device under test: it polices each stream to so many frames a second.
struct Device {
    double carries = 1e9;
    double held_back = 1;         // share that senders get rid of
    std::size_t slow_trials = 0;  // the first of all, in which it is half of that
    Quantiles latency{.p50 = 1'000, .p999 = 5'000, .max = 9'000, .min = 500, .mean = 1'200};
    std::vector<std::pair<std::vector<Stream>, Nanos>> trials;
    std::size_t breaks_off_after = ~std::size_t{0};

    std::optional<Trial> run(const std::vector<Stream>& streams, Nanos duration) {
        if (trials.size() == breaks_off_after) return {};
        trials.emplace_back(streams, duration);
        const double sent = held_back * (trials.size() <= slow_trials ? 0.5 : 1);
        Trial trial;
        trial.summary.seconds = static_cast<double>(duration.count()) / 1e9;
        for (const Stream& stream : streams) {
            const double fps =
                frames_a_second(stream.sender.rate, stream.sender.pattern.frames).value();
            FlowResult flow;
            flow.latency = latency;
            flow.offered = frames_in(fps * sent, trial.summary.seconds);
            flow.delivered = std::min(flow.offered, frames_in(carries, trial.summary.seconds));
            trial.summary.results.flows.push_back(flow);
        }
        return trial;
    }
    static uint64_t frames_in(double fps, double seconds) {
        return static_cast<uint64_t>(std::llround(fps * seconds));
    }
};

Service service(const char* name, double cir_fps, double eir_fps = 0) {
    Service service;
    service.stream.name = name;
    service.stream.sender.pattern.only_to = 1;
    service.stream.sender.pattern.frames = FrameMix::fixed(1000);
    service.cir_fps = cir_fps;
    service.eir_fps = eir_fps;
    return service;
}

Y1564 run(Device& device, const Y1564Settings& settings) {
    return run_y1564(
        settings,
        [&](const std::vector<Stream>& streams, Nanos duration) {
            return device.run(streams, duration);
        },
        nobody_listens);
}

// Per cent of CIR, in their order.
std::vector<int> loads(const ServiceResult& result) {
    std::vector<int> loads;
    for (const ServiceStep& step : result.configuration) {
        loads.push_back(static_cast<int>(std::lround(100 * step.load)));
    }
    return loads;
}

TEST(Y1564, TriesEachServiceAloneAndThenAllTogether) {
    Device device;
    const Y1564Settings settings{{service("a", 1'000), service("b", 2'000, 1'000)}, 2_s, 60_s};
    const Y1564 found = run(device, settings);
    EXPECT_TRUE(found.passed());
    EXPECT_EQ(loads(found.services[0]), (std::vector<int>{25, 50, 75, 100}));
    EXPECT_EQ(loads(found.services[1]), (std::vector<int>{25, 50, 75, 100, 150}));
    ASSERT_EQ(device.trials.size(), 10U);
    for (std::size_t n = 0; n < 9; ++n) {
        EXPECT_EQ(device.trials[n].first.size(), 1U);
        EXPECT_EQ(device.trials[n].second, 2_s);
    }
    const auto& [streams, duration] = device.trials.back();
    EXPECT_EQ(duration, 60_s);
    ASSERT_EQ(streams.size(), 2U);
    // On the wire each frame has 20 octets more.
    EXPECT_EQ(streams[0].sender.rate.value, 1'000 * 1'020 * 8);
    EXPECT_EQ(streams[1].sender.rate.value, 2'000 * 1'020 * 8);
}

TEST(Y1564, PacesAMixOfLengthsByItsFrames) {
    Device device;
    Service mixed = service("a", 1'001);
    mixed.stream.sender.pattern.frames = FrameMix::imix();
    const Y1564 found = run(device, {{mixed}, 1_s, 1_s});
    const Rate& rate = device.trials[0].first[0].sender.rate;
    EXPECT_EQ(rate.unit, Rate::Unit::frames_a_second);
    EXPECT_EQ(rate.value, 250);
    EXPECT_DOUBLE_EQ(found.services[0].configuration[0].asked_fps, 250);
    EXPECT_TRUE(found.passed());
}

TEST(Y1564, OvershootsTheExcessOrTheCommitted) {
    Device device;
    Y1564Settings settings{{service("a", 1'000, 1'000), service("b", 1'000, 100)}, 1_s, 1_s};
    for (Service& one : settings.services) one.policing = 0.05;
    const Y1564 found = run(device, settings);
    EXPECT_EQ(loads(found.services[0]).back(), 225);
    EXPECT_EQ(loads(found.services[1]).back(), 135);
    // The device did not police: more than 2 K and a twentieth of that came through.
    const ServiceStep& step = found.services[0].configuration.back();
    ASSERT_EQ(step.faults.size(), 1U);
    EXPECT_EQ(step.faults[0], "18 Mb/s was received, which is above 16.8 Mb/s");
    EXPECT_EQ(device.trials.size(), 12U) << "so there is no performance test";
    EXPECT_FALSE(found.services[0].performance);
    EXPECT_TRUE(found.complete);
    EXPECT_FALSE(found.passed());

    Device policer;
    policer.carries = 2'080;
    EXPECT_TRUE(run(policer, {{settings.services[0]}, 1_s, 1_s}).passed()) << "with tolerance";
}

TEST(Y1564, LosesNoMoreThanIsAccepted) {
    Device device;
    device.carries = 990;
    Y1564Settings settings{{service("a", 1'000)}, 1_s, 1_s};
    const Y1564 found = run(device, settings);
    const auto& steps = found.services[0].configuration;
    EXPECT_TRUE(steps[2].faults.empty());
    EXPECT_EQ(steps[3].faults, std::vector<std::string>{"loss 1 % is above 0 %"});
    EXPECT_EQ(steps[3].lost, 10U);
    settings.services[0].max_loss = 0.01;
    EXPECT_TRUE(run(device, settings).passed());
}

TEST(Y1564, WantsTheCommittedRateOfWhatIsBeyondIt) {
    Device device;
    device.carries = 1'200;
    EXPECT_TRUE(run(device, {{service("a", 1'000, 1'000)}, 1_s, 1_s}).passed())
        << "half of the excess may be dropped";
    const auto faults_of_excess = [](double carries) {
        Device few;
        few.carries = carries;
        const auto found = run(few, {{service("a", 1'000, 1'000)}, 1_s, 1_s});
        return found.services[0].configuration.back().faults;
    };
    EXPECT_EQ(faults_of_excess(500),
              std::vector<std::string>{"only 4 Mb/s of the committed 8 Mb/s was received"});
}

TEST(Y1564, HoldsLatencyByItsMeanAndVariationByItsTail) {
    Device device;
    Y1564Settings settings{{service("a", 1'000)}, 1_s, 1_s};
    settings.services[0].max_latency = Nanos(1'199);
    settings.services[0].max_variation = Nanos(4'499);
    EXPECT_EQ(run(device, settings).services[0].configuration[0].faults,
              (std::vector<std::string>{"latency 1.2 us is above 1.199 us",
                                        "variation 4.5 us is above 4.499 us"}));
    settings.services[0].max_latency = Nanos(1'200);
    settings.services[0].max_variation = Nanos(4'500);
    EXPECT_TRUE(run(device, settings).passed());
}

TEST(Y1564, TriesAgainWhatWasNotOffered) {
    Device device;
    device.held_back = 0.5;
    const Y1564Settings settings{{service("a", 1'000)}, 1_s, 1_s};
    const Y1564 found = run(device, settings);
    EXPECT_EQ(device.trials.size(), 12U) << "three times each step";
    ASSERT_EQ(found.services[0].configuration.size(), 4U);
    EXPECT_EQ(
        found.services[0].configuration[3].faults,
        std::vector<std::string>{"only 4 Mb/s of 8 Mb/s were offered: the sender is too slow"});

    Device late;
    late.slow_trials = 2;
    EXPECT_TRUE(run(late, settings).passed());
    EXPECT_EQ(late.trials.size(), 2U + 4U + 1U);

    device.held_back = 0;
    EXPECT_EQ(run(device, settings).services[0].configuration[3].faults[1], "nothing arrived");
}

TEST(Y1564, ReportsWhatItHasWhereItIsBrokenOff) {
    Device device;
    device.breaks_off_after = 5;
    const Y1564Settings settings{
        {service("a", 1'000), service("b", 1'000), service("c", 1'000)}, 1_s, 1_s};
    const Y1564Report report{2, settings, run(device, settings)};
    EXPECT_FALSE(report.found.complete || report.whole());
    const Json json = report.json();
    EXPECT_EQ(json["y1564"][0]["configuration"].size(), 4U);
    EXPECT_EQ(json["y1564"][1]["configuration"].size(), 1U);
    EXPECT_EQ(json["y1564"][2]["configuration"].size(), 0U);
    for (const Json& row : json["y1564"]) EXPECT_TRUE(row["passed"].is_null());
    EXPECT_NE(report.text().find("interrupted"), std::string::npos);
}

TEST(Y1564, IsReportedInTablesJsonAndCsv) {
    Device device;
    device.carries = 1'000;
    Y1564Settings settings{{service("good", 1'000), service("bad", 1'250)}, 1_s, 1_s};
    const Y1564Report report{2, settings, run(device, settings)};
    const Json json = report.json();
    EXPECT_FALSE(json["passed"].get<bool>());
    EXPECT_TRUE(json["y1564"][0]["passed"].is_null()) << "its performance is not known";
    EXPECT_FALSE(json["y1564"][1]["passed"].get<bool>());
    EXPECT_EQ(json["y1564"][1]["cir_bps"], 10'000'000);
    const Json& step = json["y1564"][1]["configuration"][3];
    EXPECT_EQ(step["received_bps"], 8'000'000);
    EXPECT_EQ(step["faults"], Json::array({"loss 20 % is above 0 %"}));
    EXPECT_EQ(step["latency_ns"]["min"], 500);
    EXPECT_EQ(step["variation_ns"], 4'500);
    EXPECT_NE(report.text().find("FAILED: loss 20 % is above 0 %"), std::string::npos)
        << report.text();
    EXPECT_NE(report.csv().find("\nbad,cir,100,lost,250\n"), std::string::npos) << report.csv();
    EXPECT_NE(report.csv().find("\ngood,cir,25,passed,true\n"), std::string::npos);
    EXPECT_NE(report.csv().find("\ngood,cir,25,latency_ns.mean,1200.0\n"), std::string::npos);
}

}  // namespace
}  // namespace sluice::gen

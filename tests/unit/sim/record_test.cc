// What is recorded of runs that can be worked out by hand, at 10 Gb/s: an octet takes 0.8 ns.
#include "tools/sim/scenario/record.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"

namespace sluice::sim {
namespace {

using test::scenario_of;

NetworkResult recorded(const std::string& text) {
    return simulate(scenario_of(text), {}, Recording::on);
}
double sum(const std::vector<double>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

constexpr auto half = R"(
run: {time: 1632us, sample: 163200ns}
topology: {star: {hosts: 2}}
flows: [{name: half, from: h0, to: h1, size: 1000B, rate: 5G}]
)";

// Three senders to one: 1 MiB stands in the switch, and PFC holds them.
constexpr auto incast = R"(
run: {time: 1ms}
topology: {star: {hosts: 4}}
switch: {defaults: {lossless: [3], pfc: {xoff: 64KiB, xon: 32KiB}}}
flows: [{name: incast, from: all, to: h0, priority: 3}]
)";

TEST(Record, OfAFlowHasItsThroughputInEachInterval) {
    const Series series = *recorded(half).series;
    ASSERT_EQ(series.at.size(), 10U);
    EXPECT_EQ(series.at.front(), Nanos(163'200));
    EXPECT_EQ(series.at.back(), Nanos(1'632'000));
    ASSERT_EQ(series.flows.size(), 1U);
    EXPECT_EQ(series.flows[0].name, "half");
    // A frame of 1000 octets each 1632 ns: 100 an interval, the first one 2 frames late.
    for (std::size_t n = 1; n < 10; ++n) {
        EXPECT_DOUBLE_EQ(series.flows[0].throughput[n], 100 * 8000 / 163'200e-9) << n;
    }
    EXPECT_LT(series.flows[0].throughput[0], series.flows[0].throughput[1]);
}

TEST(Record, OfADelayThatIsAlwaysTheSameIsAStep) {
    const Series series = *recorded(half).series;
    const std::vector<DelayPoint>& delays = series.flows[0].delays;
    ASSERT_EQ(delays.size(), 2U);
    EXPECT_EQ(delays[0].nanos, 1663U);
    EXPECT_EQ(delays[0].share, 0);
    EXPECT_EQ(delays[1].nanos, 1663U);
    EXPECT_EQ(delays[1].share, 1);
}

TEST(Record, OfPortsIsOfThoseThatSomebodyIsAt) {
    const Series series = *recorded(R"(
switches: [{name: s, ports: 4}, {name: t}]
hosts: [{name: a, switch: s, port: 2}, {name: b, switch: t}]
links: [{between: [s, t]}]
flows: [{from: a, to: b}]
)")
                               .series;
    ASSERT_EQ(series.ports.size(), 4U);
    std::string ports;
    for (const PortSeries& port : series.ports) {
        ports += port.node + ' ' + port.port + ' ' + port.peer + '\n';
    }
    EXPECT_EQ(ports, "s p2 a\nt p0 b\ns p0 t\nt p1 s\n");
    for (const PortSeries& port : series.ports) EXPECT_EQ(port.queued.size(), 200U);
}

TEST(Record, ShowsWhereFramesWaitAndWhoIsPaused) {
    const NetworkResult result = recorded(incast);
    const Series& series = *result.series;
    const PortSeries& receiver = series.ports[0];
    const PortSeries& sender = series.ports[1];
    // The frames that wait for the receiver are those of the three inputs, except in its egress
    // queue.
    EXPECT_GT(receiver.queued.back(), 60'000U);
    EXPECT_EQ(sender.queued.back(), 0U);
    EXPECT_EQ(receiver.held.back(), 0U);
    EXPECT_GT(sender.held.back(), 20'000U);
    EXPECT_TRUE(receiver.pausing.empty());
    ASSERT_EQ(sender.pausing.size(), 1U);
    EXPECT_EQ(sender.pausing[0].first, 3);
    EXPECT_TRUE(sender.paused.empty()) << "no host pauses";
}

TEST(Record, OfPausesAddsUpToWhatIsCounted) {
    const NetworkResult result = recorded(incast);
    for (std::size_t n = 1; n < 4; ++n) {
        const double interval = 1e6 / 200;
        const double recorded_ns = sum(result.series->ports[n].pausing[0].second) * interval;
        EXPECT_LE(recorded_ns, static_cast<double>(result.ports[n].pausing_ns) + 1);
        EXPECT_GT(recorded_ns, 0.5e6) << "two of three are held at any time";
        for (const double share : result.series->ports[n].pausing[0].second) {
            EXPECT_GE(share, 0);
            EXPECT_LE(share, 1.001);
        }
    }
}

TEST(Record, ChangesNothingOfWhatIsCounted) {
    const NetworkResult plain = simulate(scenario_of(incast));
    const NetworkResult with = recorded(incast);
    EXPECT_FALSE(plain.series.has_value());
    EXPECT_EQ(with.events, plain.events);
    EXPECT_EQ(with.flows[0].received, plain.flows[0].received);
    EXPECT_EQ(with.flows[0].mean_delay_ns, plain.flows[0].mean_delay_ns);
    EXPECT_EQ(with.ports[1].pausing_ns, plain.ports[1].pausing_ns);
}

TEST(Record, OfDelaysRisesFromTheLeastToTheMost) {
    const NetworkResult result = recorded(incast);
    const std::vector<DelayPoint>& delays = result.series->flows[0].delays;
    EXPECT_EQ(delays.front().share, 0);
    EXPECT_EQ(delays.back().share, 1);
    EXPECT_EQ(delays.back().nanos, static_cast<uint64_t>(result.flows[0].max_delay_ns));
    for (std::size_t n = 1; n < delays.size(); ++n) {
        EXPECT_GE(delays[n].nanos, delays[n - 1].nanos);
        EXPECT_GT(delays[n].share, delays[n - 1].share);
    }
}

TEST(Record, TakesNoMoreSamplesThanItMay) {
    NetworkScenario scenario = scenario_of(half);
    scenario.run.sample = Nanos(10);
    EXPECT_LE(simulate(scenario, {}, Recording::on).series->at.size(),
              static_cast<std::size_t>(most_samples));
    scenario.run.sample = scenario.run.time * 2;
    EXPECT_EQ(simulate(scenario, {}, Recording::on).series->at.size(), 1U);
}

TEST(Record, OfTooManySamplesIsAFault) {
    const auto read = read_scenario("run: {time: 1ms, sample: 100ns}\n" + std::string(R"(
topology: {star: {hosts: 2}}
flows: [{from: h0, to: h1}]
)"),
                                    "x.yaml");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(config::to_string(read.error()[0]),
              "x.yaml:1:26: run.sample: makes 10000 samples; write a time that fits 1 to 2000 "
              "times into run.time");
}

}  // namespace
}  // namespace sluice::sim

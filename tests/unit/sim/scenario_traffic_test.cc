// What the patterns of flows, frame formats and rate controls of a scenario come to, worked out by
// hand where that can be: at 10 Gb/s over 5 m an octet takes 0.8 ns and a cable 25.252 ns.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <numeric>
#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::run;

uint64_t pauses(const NetworkResult& result) {
    return std::accumulate(
        result.ports.begin(), result.ports.end(), uint64_t{0},
        [](uint64_t sum, const PortResult& port) { return sum + port.tx_pause; });
}

TEST(ScenarioTrafficTest, BernoulliWaitsLessThanPoissonAtTheSameLoad) {
    // In a queue of one wire, frames that come at multiples of the frame time never meet another of
    // their own source.
    const auto at_half = [](const std::string& pattern) {
        return run(R"(
run: {time: 20ms}
topology: {star: {hosts: 3}}
flows: [{from: h0, to: h1, size: 1000B, rate: 5G, pattern: )" +
                   pattern + "}]\n")
            .flows[0];
    };
    const FlowResult bernoulli = at_half("bernoulli");
    const FlowResult poisson = at_half("poisson");
    EXPECT_NEAR(bernoulli.throughput, 5e9 * 1000 / 1020, 1e8);
    EXPECT_NEAR(poisson.throughput, bernoulli.throughput, 1.5e8);
    EXPECT_EQ(bernoulli.mean_wait_ns, 0);
    EXPECT_NEAR(poisson.mean_wait_ns, 408, 60) << "of M/D/1 at a half: half a frame of 816 ns";
}

TEST(ScenarioTrafficTest, AllAnswerARequestAtOnce) {
    // 4 of 5000 octets come one after another by the receiver's wire.
    const NetworkResult result = run(R"(
run: {time: 100us}
topology: {star: {hosts: 5}}
flows: [{from: all, to: h0, pattern: incast, bytes: 5000B, size: 1000B, start: 3us, period: 50us}]
)");
    const FlowResult& flow = result.flows[0];
    EXPECT_EQ(flow.sent, 2 * 4 * 5U);
    EXPECT_EQ(flow.received, flow.sent);
    EXPECT_EQ(flow.rounds, 2U);
    // The first reaches the switch, then 20 frames of 816 ns, of which the last has no gap behind.
    EXPECT_DOUBLE_EQ(flow.mean_round_ns, 806.4 + 25.252 + 19 * 816 + 806.4 + 25.252);
    EXPECT_DOUBLE_EQ(flow.max_round_ns, flow.mean_round_ns);
}

TEST(ScenarioTrafficTest, AnAnswerThatLosesAFrameFinishesNoRound) {
    const NetworkResult result = run(R"(
run: {time: 100us}
topology: {star: {hosts: 5}}
switch: {buffer: {size: 64KiB}}
flows: [{from: all, to: h0, pattern: incast, bytes: 64KiB, period: 50us}]
)");
    EXPECT_GT(result.flows[0].lost, 0U);
    EXPECT_EQ(result.flows[0].rounds, 0U);
}

TEST(ScenarioTrafficTest, ARingReducesInTwiceTheStepsButTwo) {
    const NetworkResult result = run(R"(
run: {time: 1ms}
topology: {star: {hosts: 4}}
flows: [{from: all, pattern: all_reduce, bytes: 4000B, size: 1000B, rounds: 3}]
)");
    const FlowResult& flow = result.flows[0];
    EXPECT_EQ(flow.sent, 3 * 6 * 4U) << "a frame of each host in each of 6 steps";
    EXPECT_EQ(flow.rounds, 3U);
    EXPECT_DOUBLE_EQ(flow.mean_round_ns, 6 * 2 * (806.4 + 25.252));
    EXPECT_DOUBLE_EQ(flow.max_round_ns, flow.mean_round_ns);
}

TEST(ScenarioTrafficTest, AStepWaitsForTheWholeChunk) {
    // A chunk of 2500 octets in three frames; the next begins when the third is here.
    const NetworkResult result = run(R"(
run: {time: 1ms}
topology: {star: {hosts: 2}}
flows: [{from: all, pattern: all_reduce, bytes: 5000B, size: 1000B}]
)");
    const double last = 508 * 0.8;  // 500 octets, the preamble counted
    EXPECT_DOUBLE_EQ(result.flows[0].mean_round_ns, 2 * (806.4 + 2 * 816 + last + 2 * 25.252))
        << "two steps";
}

TEST(ScenarioTrafficTest, ARingWithALossStandsStill) {
    const NetworkResult result = run(R"(
run: {time: 10ms}
topology: {star: {hosts: 4}}
switch: {buffer: {size: 64KiB}}
flows:
  - {from: all, pattern: all_reduce, bytes: 256KiB, rounds: 1000}
  - {from: [h1, h2], to: h3}
)");
    EXPECT_GT(result.flows[0].lost, 0U);
    EXPECT_LT(result.flows[0].rounds, 5U);
}

TEST(ScenarioTrafficTest, AMessageOfATraceLeavesWhenItSays) {
    const std::string folder = testing::TempDir();
    std::ofstream(folder + "/trace_of_test.csv") << "time,from,to,bytes,priority\n"
                                                    "10us,h0,h1,2000,3\n"
                                                    "10us,h0,h1,1000,5\n"
                                                    "99us,h1,h0,64,0\n"
                                                    "100us,h1,h0,64,0\n";
    const NetworkResult result = run(R"(
run: {time: 100us}
topology: {star: {hosts: 2}}
flows: [{pattern: trace, file: trace_of_test.csv, size: 1000B}]
)",
                                     folder + "/test.yaml");
    std::remove((folder + "/trace_of_test.csv").c_str());
    EXPECT_EQ(result.flows[0].sent, 4U) << "the last comes when all is over";
    EXPECT_EQ(result.flows[0].received, 4U);
    EXPECT_EQ(result.disordered, 0U);
    // Three frames are due at once: the second and third wait for the earlier ones.
    EXPECT_DOUBLE_EQ(result.flows[0].mean_wait_ns, (816.0 + 2 * 816) / 4);
}

TEST(ScenarioTrafficTest, AFormatDecidesHowLongAFrameIs) {
    const auto delay = [](const std::string& keys) {
        return run("topology: {star: {hosts: 2}}\n"
                   "run: {time: 10us}\n"
                   "flows: [{from: h0, to: h1, rate: 1G, " +
                   keys + "}]\n")
            .flows[0]
            .mean_delay_ns;
    };
    const auto of = [](int length) { return 2 * ((length + 8) * 0.8 + 25.252); };
    EXPECT_DOUBLE_EQ(delay("format: standard"), of(1406));
    EXPECT_DOUBLE_EQ(delay("format: standard, tagged: false"), of(1402));
    EXPECT_DOUBLE_EQ(delay("format: afh_gen1"), of(1378));
    EXPECT_DOUBLE_EQ(delay("format: afh_gen2_16b, tagged: false"), of(1374));
    EXPECT_DOUBLE_EQ(delay("format: afh_lite"), of(1360));
    EXPECT_DOUBLE_EQ(delay("format: afh_gen1, payload: 100B"), of(134));
    EXPECT_DOUBLE_EQ(delay("format: afh_lite, payload: 0B"), of(64));
}

TEST(ScenarioTrafficTest, AFrameWithoutATagHasTheDefaultPriorityOfItsPort) {
    // Only priority 3 is lossless, which is the port's priority.
    const NetworkResult result = run(R"(
run: {time: 2ms}
topology: {star: {hosts: 3}}
switch: {defaults: {lossless: [3], default_priority: 3, pfc: {xoff: 64KiB, xon: 32KiB}}}
flows: [{from: [h1, h2], to: h0, format: afh_lite}]
)");
    EXPECT_EQ(result.flows[0].lost, 0U);
    EXPECT_EQ(result.flows[0].sent, result.flows[0].received);
    EXPECT_GT(pauses(result), 0U) << "and its senders obey for it";
}

TEST(ScenarioTrafficTest, AFrameWithoutATagIsClassifiedByTheHeaderThatItHas) {
    // Each frame has the priority that the switch gives it, so a pause of that priority holds it.
    const auto lost = [](const std::string& trusted, const std::string& keys) {
        const NetworkResult result = run(R"(
run: {time: 1ms}
topology: {star: {hosts: 3}}
switch: {defaults: {lossless: [3], pfc: {xoff: 64KiB, xon: 32KiB}, )" +
                                         trusted + R"(}}
flows: [{from: [h1, h2], to: h0, tagged: false, )" +
                                         keys + "}]\n");
        EXPECT_GT(pauses(result), 0U) << trusted << keys;
        return result.flows[0].lost;
    };
    const std::string by_port = "default_priority: 3, trust: [roce]";
    EXPECT_EQ(lost(by_port, "format: standard"), 0U) << "no UDP, so no RoCE";
    EXPECT_EQ(lost(by_port, "ecn: true"), 0U);
    EXPECT_EQ(lost("profile: roce_v2, default_priority: 3", "ecn: true"), 0U);
    const std::string by_dscp = "trust: [dscp], dscp_to_priority: {0: 3}";
    EXPECT_EQ(lost(by_dscp, "format: standard"), 0U);
    EXPECT_EQ(lost(by_dscp, "ecn: true"), 0U) << "which makes it IPv4";
}

TEST(ScenarioTrafficTest, OnlyIPv4CanBeMarked) {
    const auto marked = [](const std::string& keys) {
        return run("topology: {star: {hosts: 3}}\n"
                   "switch: {defaults: {ecn: {0: {low: 4KiB, high: 16KiB, probability: 0.5}}}}\n"
                   "flows: [{from: [h1, h2], to: h0, format: standard, " +
                   keys + "}]\n")
            .flows[0]
            .marked;
    };
    EXPECT_GT(marked("ecn: true"), 0U);
    EXPECT_GT(marked("ecn: true, tagged: false"), 0U);
    EXPECT_EQ(marked("ecn: false"), 0U);
}

std::string four_to_one(const std::string& rate_control) {
    return R"(
run: {time: 20ms, warmup: 10ms}
cable: {speed: 40G}
topology: {star: {hosts: 5}}
switch:
  defaults:
    lossless: [3]
    pfc: {xoff: 512KiB, xon: 384KiB}
    ecn: {3: {low: 5KiB, high: 200KiB, probability: 0.01}}
peers: [{hosts: all, rate_control: )" +
           rate_control + R"(}]
flows:
  - {from: h1, to: h0, priority: 3, ecn: true}
  - {from: h2, to: h0, priority: 3, ecn: true, start: 1ms}
  - {from: h3, to: h0, priority: 3, ecn: true, start: 2ms}
  - {from: h4, to: h0, priority: 3, ecn: true, start: 3ms}
)";
}

TEST(ScenarioTrafficTest, UnderDcqcnFourShareAWireAndNobodyIsPaused) {
    const NetworkResult held = run(four_to_one("none"));
    EXPECT_GT(pauses(held), 100U);
    const NetworkResult result = run(four_to_one("dcqcn"));
    EXPECT_EQ(pauses(result), 0U);
    double all = 0;
    for (const FlowResult& flow : result.flows) {
        EXPECT_NEAR(flow.throughput, 9.87e9, 2.5e9) << "a quarter of 39.5 Gb/s";
        EXPECT_GT(flow.notified, 0U);
        EXPECT_EQ(flow.lost, 0U);
        all += flow.throughput;
    }
    EXPECT_GT(all, 35e9) << "and the wire is not left idle";
}

TEST(ScenarioTrafficTest, ASenderThatMergesHeedsAsManyNoticesAsOneWhoseReceiverPaces) {
    const NetworkResult result = run(R"(
run: {time: 1ms, drain: 0}
cable: {speed: 40G}
topology: {star: {hosts: 3}}
switch: {defaults: {ecn: {0: {low: 1KiB, high: 2KiB, probability: 1}}}}
peers: [{hosts: all, rate_control: dcqcn, dcqcn: {cnp_interval: 0, merge: 100us, least: 30G}}]
flows: [{from: [h1, h2], to: h0, ecn: true}]
)");
    const FlowResult& flow = result.flows[0];
    EXPECT_GT(flow.notified, 100U) << "for each frame that is marked";
    EXPECT_EQ(flow.notified - flow.merged, 2 * 10U);
}

TEST(ScenarioTrafficTest, NoticesGoAtMostOncePerIntervalAndPair) {
    const NetworkResult result = run(R"(
run: {time: 1ms, drain: 0}
cable: {speed: 40G}
topology: {star: {hosts: 3}}
switch: {defaults: {ecn: {0: {low: 1KiB, high: 2KiB, probability: 1}}}}
peers: [{hosts: all, rate_control: dcqcn, dcqcn: {cnp_interval: 100us, least: 30G}}]
flows: [{from: [h1, h2], to: h0, ecn: true}]
)");
    // From each of the two, at the first mark and then every 100 us.
    EXPECT_EQ(result.flows[0].notified, 2 * 10U);
    EXPECT_GT(result.flows[0].marked, 100U);
}

TEST(ScenarioTrafficTest, AWindowLimitsToItsOctetsInItsSpan) {
    const NetworkResult result = run(R"(
run: {time: 8192us, warmup: 819200ns}
topology: {star: {hosts: 3}}
peers: [{hosts: h1, rate_control: window, window: {bytes: 4000B, span: 8192ns}}]
flows:
  - {from: h1, to: h0, size: 1000B}
  - {from: h1, to: h2, size: 1000B}
)");
    for (const FlowResult& flow : result.flows) {
        EXPECT_NEAR(flow.throughput, 4000 * 8 / 8.192e-6, 2e6) << "each pair has its own";
    }
}

TEST(ScenarioTrafficTest, UnderControlEachReceiverHasItsShareOfTheRate) {
    const NetworkResult result = run(R"(
run: {time: 1ms}
topology: {star: {hosts: 5}}
peers: [{hosts: all, rate_control: dcqcn}]
flows: [{from: h0, to: all, size: 1000B, rate: 8G}]
)");
    EXPECT_NEAR(result.flows[0].throughput, 8e9 * 1000 / 1020, 5e7);
    for (std::size_t port = 1; port < 5; ++port) {
        EXPECT_NEAR(static_cast<double>(result.ports[port].tx_frames), 245, 1) << "2 Gb/s";
    }
}

}  // namespace
}  // namespace sluice::sim

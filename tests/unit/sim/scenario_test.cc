// Scenarios whose results can be worked out by hand, at 10 Gb/s over 5 m: an octet takes 0.8 ns and
// a cable 25.252 ns.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::run;
using test::scenario_of;

// Everything that a result says of its flows and ports.
std::string text_of(const NetworkResult& result) {
    std::string all = fmt::format("{} {}\n", result.events, result.ended.count());
    for (const FlowResult& flow : result.flows) {
        all +=
            fmt::format("{} {} {} {} {} {} {}\n", flow.sent, flow.received, flow.lost,
                        flow.throughput, flow.mean_delay_ns, flow.p99_delay_ns, flow.mean_wait_ns);
    }
    for (const PortResult& port : result.ports) {
        all += fmt::format("{} {} {} {} {}\n", port.rx_frames, port.tx_frames, port.tx_pause,
                           port.pausing_ns, port.headroom_used_max);
    }
    return all;
}

TEST(ScenarioTest, AFlowAtHalfTheRateTakesTwoWiresAndTwoCables) {
    const NetworkResult result = run(R"(
topology: {star: {hosts: 2}}
flows: [{from: h0, to: h1, size: 1000B, rate: 5G}]
)");
    const FlowResult& flow = result.flows[0];
    EXPECT_EQ(flow.sent, 613U) << "one each 1632 ns of a millisecond";
    EXPECT_EQ(flow.received, 613U);
    EXPECT_EQ(flow.lost + flow.waiting, 0U);
    // 1008 octets up to the FCS, twice; nothing waits.
    EXPECT_DOUBLE_EQ(flow.mean_delay_ns, 2 * (806.4 + 25.252));
    EXPECT_DOUBLE_EQ(flow.max_delay_ns, 2 * (806.4 + 25.252));
    EXPECT_EQ(flow.mean_wait_ns, 0);
    EXPECT_TRUE(result.balanced());
    EXPECT_FALSE(result.stands_still);
}

TEST(ScenarioTest, EachSwitchOfAChainAddsAWireAndACable) {
    const NetworkResult result = run(R"(
topology: {chain: {switches: 4, hosts: 1}}
flows: [{from: h0, to: h3, size: 1000B, rate: 1G}]
)");
    EXPECT_DOUBLE_EQ(result.flows[0].mean_delay_ns, 5 * (806.4 + 25.252));
}

TEST(ScenarioTest, WhatLeftInTheWarmupIsNotCounted) {
    const NetworkResult result = run(R"(
run: {time: 1632us, warmup: 816us}
topology: {star: {hosts: 2}}
flows: [{from: h0, to: h1, size: 1000B, rate: 5G}]
)");
    EXPECT_EQ(result.flows[0].sent, 500U);
    EXPECT_NEAR(result.flows[0].throughput, 8000 / 1632e-9, 1e7);
}

TEST(ScenarioTest, AFlowHasItsTimes) {
    const NetworkResult result = run(R"(
topology: {star: {hosts: 2}}
flows:
  - {from: h0, to: h1, size: 1000B, rate: 5G, start: 100us, stop: 263200ns}
  - {from: h1, to: h0, size: 1000B, pattern: pulses, on: 8160ns, off: 91840ns}
)");
    EXPECT_EQ(result.flows[0].sent, 100U);
    EXPECT_EQ(result.flows[1].sent, 100U) << "ten pulses of ten frames back to back";
}

TEST(ScenarioTest, PoissonArrivalsWaitAsAnM_D_1QueueDoes) {
    // Two senders that together load the receiver's wire to 0.8, each queue fed by half of it.
    const NetworkResult result = run(R"(
run: {time: 400ms, warmup: 1ms}
topology: {star: {hosts: 2}}
flows: [{from: h0, to: h1, size: 1000B, rate: 8G, pattern: poisson}]
)");
    // At the sender: load / (2 x (1 - load)) x 816 ns = 1632 ns, and none after it.
    EXPECT_NEAR(result.flows[0].mean_wait_ns, 1632, 50);
    EXPECT_DOUBLE_EQ(result.flows[0].mean_delay_ns, 2 * (806.4 + 25.252));
}

TEST(ScenarioTest, FifteenToOneLosesNothing) {
    const NetworkResult result = run(R"(
run: {time: 5ms}
topology: {star: {hosts: 16}}
switch: {defaults: {lossless: [3], pfc: {response: 10us}}}
peers: [{hosts: all, response: 10us}]
flows: [{from: all, to: h0, priority: 3, size: 64B, size_to: 1522B}]
)");
    const FlowResult& flow = result.flows[0];
    EXPECT_GT(flow.received, 5000U);
    EXPECT_EQ(flow.sent, flow.received);
    EXPECT_EQ(result.disordered, 0U);
    for (std::size_t port = 1; port < 16; ++port) {
        EXPECT_GT(result.ports[port].tx_pause, 0U) << "was never paused";
        EXPECT_LE(result.ports[port].headroom_used_max, result.ports[port].headroom);
    }
    EXPECT_TRUE(result.balanced());
}

TEST(ScenarioTest, AHostThatDoesNotObeyOverrunsTheHeadroom) {
    const NetworkResult result = run(R"(
run: {time: 5ms}
topology: {star: {hosts: 3}}
switch: {defaults: {lossless: [3]}}
peers: [{hosts: h2, obeys: false}]
flows:
  - {from: h1, to: h0, priority: 3}
  - {from: h2, to: h0, priority: 3}
)");
    EXPECT_EQ(result.flows[0].lost, 0U);
    EXPECT_GT(result.flows[1].lost, 0U);
    EXPECT_EQ(result.ports[2].drops.at("headroom_overrun"), result.flows[1].lost);
    EXPECT_EQ(result.flows[1].sent, result.flows[1].received + result.flows[1].lost);
    EXPECT_TRUE(result.balanced());
}

std::string ring(const std::string& action) {
    return R"(
run: {time: 100ms}
topology: {ring: {switches: 3, hosts: 1, one_way: true}}
switch:
  defaults:
    lossless: [3]
    pfc:
      xoff: 32KiB
      xon: 0B
      watchdog: {detection: 20ms, restoration: 20ms, poll: 5ms, action: )" +
           action + R"(}
peers: [{hosts: h0, pauses: {priority: 3, at: 1ms, for: 3ms}}]
flows:
  - {from: h0, to: h2, priority: 3}
  - {from: h1, to: h0, priority: 3}
  - {from: h2, to: h1, priority: 3}
)";
}

TEST(ScenarioTest, ARingStandsStillUnderAlert) {
    const NetworkResult result = run(ring("alert"));
    EXPECT_TRUE(result.stands_still);
    for (const FlowResult& flow : result.flows) {
        EXPECT_GT(flow.waiting, 0U);
        EXPECT_EQ(flow.lost, 0U);
        EXPECT_EQ(flow.sent, flow.received + flow.waiting);
    }
    EXPECT_TRUE(result.balanced());
}

TEST(ScenarioTest, ARingGoesOnUnderDrop) {
    const NetworkResult result = run(ring("drop"));
    EXPECT_FALSE(result.stands_still);
    for (const FlowResult& flow : result.flows) {
        EXPECT_GT(flow.lost, 0U);
        EXPECT_EQ(flow.waiting, 0U);
    }
    EXPECT_TRUE(result.balanced());
}

TEST(ScenarioTest, MarksOfAPortArriveInItsFlow) {
    const NetworkResult result = run(R"(
topology: {star: {hosts: 3}}
switch: {defaults: {ecn: {0: {low: 4KiB, high: 16KiB, probability: 0.5}}}}
flows:
  - {from: h1, to: h0, ecn: true}
  - {from: h2, to: h0}
)");
    EXPECT_GT(result.flows[0].marked, 0U);
    EXPECT_EQ(result.flows[0].marked, result.ports[0].marked);
    EXPECT_EQ(result.flows[1].marked, 0U) << "cannot be marked";
}

TEST(ScenarioTest, LeavesUseAllSpinesAndLoseNothing) {
    const NetworkResult result = run(R"(
run: {time: 100us}
cable: {speed: 100G}
topology: {leaf_spine: {leaves: 3, spines: 2, hosts: 4}}
switch: {defaults: {lossless: [3]}}
flows: [{from: all, to: all, priority: 3, rate: 40G, pattern: poisson}]
)");
    EXPECT_EQ(result.nodes.size(), 5U);
    EXPECT_EQ(result.flows[0].sent, result.flows[0].received);
    EXPECT_EQ(result.disordered, 0U);
    for (const PortResult& port : result.ports) EXPECT_GT(port.tx_frames, 0U) << port.node;
    EXPECT_TRUE(result.balanced());
}

TEST(ScenarioTest, TheSameSeedGivesTheSameAndAnotherAnother) {
    NetworkScenario scenario = scenario_of(R"(
topology: {star: {hosts: 5}}
switch: {defaults: {lossless: [3], ecn: {3: {low: 4KiB, high: 64KiB, probability: 0.5}}}}
flows:
  - {from: all, to: all, priority: 3, rate: 6G, pattern: poisson, ecn: true}
  - {from: [h1, h2], to: h0, pattern: bursts, size: 64B, size_to: 1522B}
)");
    const std::string once = text_of(simulate(scenario));
    EXPECT_EQ(text_of(simulate(scenario)), once);
    scenario.set_seed(2);
    EXPECT_NE(text_of(simulate(scenario)), once);
}

}  // namespace
}  // namespace sluice::sim

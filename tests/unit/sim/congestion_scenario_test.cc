// What congestion controls come to where four hosts share a wire: who gets how much of it, what
// waits for it, and that nobody is paused.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

struct Shared {
    NetworkResult result;
    double mean_queue = 0;  // octets that wait for the receiver
    uint64_t most_queue = 0;

    [[nodiscard]] double in_all() const {
        return std::accumulate(
            result.flows.begin(), result.flows.end(), 0.0,
            [](double sum, const FlowResult& flow) { return sum + flow.throughput; });
    }
    // The least of the four in parts of a quarter.
    [[nodiscard]] double fairness() const {
        const auto least = std::ranges::min_element(result.flows, {}, &FlowResult::throughput);
        return least->throughput * 4 / in_all();
    }
    [[nodiscard]] uint64_t pauses() const {
        return std::accumulate(
            result.ports.begin(), result.ports.end(), uint64_t{0},
            [](uint64_t sum, const PortResult& port) { return sum + port.tx_pause; });
    }
    [[nodiscard]] uint64_t lost() const {
        return std::accumulate(
            result.flows.begin(), result.flows.end(), uint64_t{0},
            [](uint64_t sum, const FlowResult& flow) { return sum + flow.lost; });
    }
};

// Four hosts begin one after the other; the queue is measured in the second half.
Shared four_to_one(const std::string& control, const std::string& ecn) {
    const NetworkScenario scenario = test::scenario_of(R"(
run: {time: 10ms, warmup: 5ms}
cable: {speed: 40G, length: 100m}
topology: {star: {hosts: 5}}
switch:
  defaults:
    lossless: [3]
    pfc: {xoff: 1MiB, xon: 768KiB}
    ecn: {3: )" + ecn + R"(}
peers: [{hosts: all, rate_control: )" + control + R"(}]
flows:
  - {from: h1, to: h0, priority: 3, ecn: true}
  - {from: h2, to: h0, priority: 3, ecn: true, start: 200us}
  - {from: h3, to: h0, priority: 3, ecn: true, start: 400us}
  - {from: h4, to: h0, priority: 3, ecn: true, start: 600us}
)");
    Shared shared{.result = simulate(scenario, {}, Recording::on)};
    const auto port = std::ranges::find(shared.result.series->ports, "h0", &PortSeries::peer);
    const auto half = port->queued.begin() + static_cast<std::ptrdiff_t>(port->queued.size() / 2);
    shared.most_queue = *std::max_element(half, port->queued.end());
    shared.mean_queue =
        static_cast<double>(std::accumulate(half, port->queued.end(), uint64_t{0})) /
        static_cast<double>(port->queued.end() - half);
    return shared;
}

// Marks begin so late that no queue reaches them.
constexpr const char* unmarked = "{low: 1000KiB, high: 1MiB, probability: 0.01}";

TEST(CongestionScenarioTest, HpccSharesAWireAndLeavesItsQueueAllButEmpty) {
    const Shared shared = four_to_one("hpcc, hpcc: {base_rtt: 4us}", unmarked);
    EXPECT_EQ(shared.pauses(), 0U);
    EXPECT_EQ(shared.lost(), 0U);
    EXPECT_GT(shared.fairness(), 0.8);
    EXPECT_GT(shared.in_all(), 0.90 * 39.5e9) << "it aims at 95 %";
    EXPECT_LT(shared.mean_queue, 4 * 1522) << "a frame of each, more or less";
}

TEST(CongestionScenarioTest, DctcpKeepsTheQueueAtItsThreshold) {
    const Shared shared = four_to_one("dctcp", "{low: 100KiB, high: 101KiB, probability: 1}");
    EXPECT_EQ(shared.pauses(), 0U);
    EXPECT_EQ(shared.lost(), 0U);
    EXPECT_GT(shared.fairness(), 0.8);
    EXPECT_GT(shared.in_all(), 0.99 * 39.5e9) << "the queue never runs dry";
    EXPECT_NEAR(shared.mean_queue, 100 * 1024, 20 * 1024);
}

// The shares stay as they were when the gradient came to 0: TIMELY has no fixed point at which
// flows are equal (Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY",
// CoNEXT 2016).
TEST(CongestionScenarioTest, TimelyKeepsTheRoundTripBetweenItsThresholds) {
    const Shared shared = four_to_one("timely", unmarked);
    EXPECT_EQ(shared.pauses(), 0U);
    EXPECT_EQ(shared.lost(), 0U);
    EXPECT_GT(shared.in_all(), 0.9 * 39.5e9);
    EXPECT_LT(shared.most_queue, 500'000 * 5) << "500 us of 40 Gb/s";
}

TEST(CongestionScenarioTest, AcknowledgementsHaveTheirOwnPriority) {
    const NetworkResult result = test::run(R"(
run: {time: 100us}
topology: {star: {hosts: 2}}
switch: {defaults: {lossless: [3]}}
peers:
  - {hosts: h1, rate_control: dctcp, pauses: {priority: 3, at: 0, for: 1ms}}
  - {hosts: h0, ack_priority: 3}
flows: [{from: h1, to: h0}]
)");
    EXPECT_EQ(result.flows[0].sent, 10U) << "the first window; what answers it is held";
}

}  // namespace
}  // namespace sluice::sim

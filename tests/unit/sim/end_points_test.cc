// End points: what a frame takes through the stages of a host, and credit from one end to the
// other.
#include <gtest/gtest.h>

#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/network/congestion/end_to_end_credit.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::run;

// --- stages ---

NetworkResult half(const std::string& peers) {
    return run("topology: {star: {hosts: 2}}\n" + peers +
               "flows: [{from: h0, to: h1, size: 1000B, rate: 5G}]\n");
}

TEST(StagesTest, OfBothHostsComeToTheDelayOfAFrameAndToNothingElse) {
    const NetworkResult without = half("");
    const NetworkResult with =
        half("peers: [{hosts: h0, tx_latency: 100ns}, {hosts: h1, rx_latency: 250ns}]\n");
    EXPECT_DOUBLE_EQ(with.flows[0].mean_delay_ns, without.flows[0].mean_delay_ns + 350);
    EXPECT_DOUBLE_EQ(with.flows[0].mean_wait_ns, 0);
    EXPECT_EQ(with.flows[0].received, without.flows[0].received) << "they hold nobody up";
    // Latencies of the opposite direction do not delay these frames.
    const NetworkResult other =
        half("peers: [{hosts: h1, tx_latency: 100ns}, {hosts: h0, rx_latency: 250ns}]\n");
    EXPECT_DOUBLE_EQ(other.flows[0].mean_delay_ns, without.flows[0].mean_delay_ns);
}

TEST(StagesTest, AnAnswerPassesThemToo) {
    const auto round_trips = [](const std::string& peers) {
        return run(R"(
run: {time: 10ms}
cable: {length: 0}
topology: {star: {hosts: 2}}
peers:
  - {hosts: all, rate_control: end_to_end_credit, end_to_end_credit: {bytes: 1522B}}
)" + peers + "flows: [{from: h0, to: h1}]\n")
            .flows[0];
    };
    // One frame and its answer at a time, each through two wires of 1530 and 72 octets.
    const double alone = 2 * 0.8 * (1530 + 72);
    EXPECT_NEAR(static_cast<double>(round_trips("").received), 1e7 / alone, 1);
    EXPECT_NEAR(static_cast<double>(
                    round_trips("  - {hosts: all, tx_latency: 1us, rx_latency: 500ns}\n").received),
                1e7 / (alone + 2000), 1)
        << "the frame has passed its sender's stages before it waits for credit";
}

TEST(StagesTest, APauseIsTheMacsAndLosesNothing) {
    const NetworkResult result = run(R"(
run: {time: 2ms}
topology: {star: {hosts: 4}}
switch: {defaults: {lossless: [3]}, buffer: {size: 1MiB}}
peers: [{hosts: all, tx_latency: 20us, rx_latency: 20us}, {hosts: h0, receive: {rate: 5G}}]
flows: [{from: [h1, h2, h3], to: h0, priority: 3}]
)");
    EXPECT_GT(result.ports[1].tx_pause, 0U);
    EXPECT_GT(result.ports[0].rx_pause, 0U) << "h0 pauses too";
    EXPECT_EQ(result.flows[0].lost, 0U);
    for (const PortResult& port : result.ports) EXPECT_LE(port.headroom_used_max, port.headroom);
}

// --- credit from end to end ---

struct Spending {
    EndToEndCredit credit{{Bytes(3000)}};

    [[nodiscard]] bool lets(Bytes frame) const { return credit.ready_at(frame, {}) == Picos(0); }
    void give(int64_t through) {
        FrameReport report;
        report.through = Bytes(through);
        report.credit = true;
        credit.acknowledged(report, {});
    }
    // The frame with which so much had been sent was not taken; the last that was is `taken`.
    void refuse(int64_t through, int64_t taken) {
        FrameReport report;
        report.through = Bytes(through);
        report.taken = Bytes(taken);
        credit.acknowledged(report, {});
    }
};

TEST(EndToEndCreditTest, IsSpentByAFrameAndComesBackWithItsAnswer) {
    Spending spending;
    EXPECT_FALSE(spending.lets(Bytes(3001)));
    spending.credit.sent(Bytes(1000), {});  // 1020 of the wire
    spending.credit.sent(Bytes(1500), {});
    EXPECT_TRUE(spending.lets(Bytes(500)));
    EXPECT_FALSE(spending.lets(Bytes(501)));
    spending.give(1020);
    EXPECT_TRUE(spending.lets(Bytes(1500)));
    EXPECT_FALSE(spending.lets(Bytes(1501)));
    spending.credit.sent(Bytes(1000), {});
    spending.give(1020 + 1520 + 1020);
    EXPECT_TRUE(spending.lets(Bytes(3000))) << "with that of a frame before it which was lost";
}

TEST(EndToEndCreditTest, OfWhatWaitsInTheBufferNoRefusalGivesItBack) {
    Spending spending;
    for (int frame = 0; frame < 6; ++frame) spending.credit.sent(Bytes(500), {});  // 520 each
    spending.refuse(520, 520);  // the first came, and waits
    EXPECT_FALSE(spending.lets(Bytes(64)));
    spending.refuse(3 * 520, 520);  // the second was lost, so the third is refused
    EXPECT_TRUE(spending.lets(Bytes(1000)));
    EXPECT_FALSE(spending.lets(Bytes(1001)));
    spending.credit.on_timeout();
    EXPECT_TRUE(spending.lets(Bytes(2500))) << "all but the first";
    EXPECT_FALSE(spending.lets(Bytes(2501)));
    spending.give(520);
    EXPECT_TRUE(spending.lets(Bytes(3000)));
}

// Four hosts send 40 Gb/s to one that takes 2 and has a buffer of 64 KiB; no cable pauses anybody.
NetworkResult to_a_slow_one(const std::string& control) {
    return run(R"(
run: {time: 20ms, warmup: 2ms}
cable: {flow_control: none}
topology: {star: {hosts: 5}}
peers:
  - {hosts: h0, receive: {rate: 2G, low: 0, high: 64KiB, buffer: 64KiB}}
  - {hosts: [h1, h2, h3, h4])" +
               control + R"(}
flows: [{from: [h1, h2, h3, h4], to: h0}]
)");
}

TEST(EndToEndCreditTest, AReceiverIsNeverSentMoreThanItsBufferHasRoomFor) {
    EXPECT_GT(to_a_slow_one("").flows[0].lost, 0U) << "without";
    const NetworkResult result =
        to_a_slow_one(", rate_control: end_to_end_credit, end_to_end_credit: {bytes: 16KiB}");
    EXPECT_EQ(result.flows[0].lost, 0U);
    EXPECT_NEAR(result.flows[0].throughput, 2e9, 0.01e9) << "and it always has something to take";
    EXPECT_LE(result.ports[0].peer_held_max, 64U * 1024);
    EXPECT_GT(result.ports[0].peer_held_max, 50U * 1024);
}

// A switch that drops some frames on the way does not change that.
TEST(EndToEndCreditTest, NorIsItWhereFramesAreSentAgain) {
    const NetworkResult result = run(R"(
run: {time: 20ms}
cable: {flow_control: none}
topology: {star: {hosts: 17}}
switch: {buffer: {size: 64KiB, alpha: 1/2}}
peers:
  - {hosts: all, rate_control: end_to_end_credit, end_to_end_credit: {bytes: 8KiB}}
  - {hosts: h0, receive: {rate: 2G, low: 0, high: 128KiB, buffer: 128KiB}}
flows: [{from: all, to: h0, transport: go_back_n, timeout: 3ms}]
)");
    uint64_t dropped = 0;
    for (const PortResult& port : result.ports) {
        for (const auto& [reason, frames] : port.drops) dropped += frames;
    }
    EXPECT_GT(dropped, 0U);
    EXPECT_EQ(result.flows[0].lost, dropped) << "and none at the host";
    EXPECT_LE(result.ports[0].peer_held_max, 128U * 1024);
    EXPECT_GT(result.flows[0].recovery->goodput, 1.9e9);
}

// The octets in flight are limited to the credit: one credit each round trip.
TEST(EndToEndCreditTest, BelowARoundTripOfItTheWireIsIdle) {
    const auto with = [](const std::string& bytes) {
        return run(R"(
run: {time: 50ms, warmup: 10ms}
cable: {length: 10km}
topology: {star: {hosts: 2}}
peers: [{hosts: all, rate_control: end_to_end_credit, end_to_end_credit: {bytes: )" +
                   bytes + R"(}}]
flows: [{from: h0, to: h1}]
)")
            .flows[0]
            .throughput;
    };
    // Four cables of 50.5 us, two frames of 1530 and two of 72 octets.
    const double round_trip = 4 * 50.504e-6 + 2 * 0.8e-9 * (1530 + 72);
    EXPECT_NEAR(with("15220B"), 15220 * 8 / round_trip, 0.01e9);
    EXPECT_NEAR(with("1MiB"), 1e10 * 1522 / 1542, 0.01e9);
}

// A switch that drops a frame takes its credit along.
TEST(EndToEndCreditTest, WhereAllOfItIsLostNothingMovesAnyMore) {
    const auto with = [](const std::string& transport) {
        return run(R"(
run: {time: 20ms}
cable: {flow_control: none}
topology: {star: {hosts: 64}}
switch: {buffer: {size: 64KiB, alpha: 128}}
peers: [{hosts: all, rate_control: end_to_end_credit, end_to_end_credit: {bytes: 1522B}}]
flows: [{from: all, to: h0, pattern: incast, bytes: 15220B)" +
                   transport + "}]\n")
            .flows[0];
    };
    EXPECT_EQ(with("").rounds, 0U);
    EXPECT_EQ(with(", transport: go_back_n").rounds, 1U);
}

}  // namespace
}  // namespace sluice::sim

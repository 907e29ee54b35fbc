// Pulls: what a sender may send before it is asked and after, and what that is worth in an incast.
#include "tools/sim/network/congestion/pulls.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::run;

constexpr Picos us(int64_t time) { return picos(Nanos(time * 1000)); }

// Frames of 1000 octets, 1020 of the wire, of which three may leave unasked.
struct Pulled {
    static constexpr Bytes frame{1000};
    static constexpr Bytes endless{1'000'000};

    Pulls pulls{{.initial = Bytes(3500), .timeout = Nanos(100'000)}};

    [[nodiscard]] bool lets(Picos now) const { return pulls.ready_at(frame, now) <= now; }
    // Sends a frame. True: it needs a pull.
    bool send(Bytes behind, Picos now = {}) {
        pulls.sent(frame, now);
        return pulls.needs_pull(frame, behind);
    }
    void answer(Pull pull, Picos now = {}) {
        FrameReport report;
        report.on_wire = on_wire_of(frame);
        report.pull = pull;
        pulls.acknowledged(report, now);
    }
};

TEST(PullsTest, AfterTheFirstFramesEachPullLetsOneOut) {
    Pulled sender;
    for (int n = 0; n < 3; ++n) {
        EXPECT_TRUE(sender.lets({}));
        EXPECT_TRUE(sender.send(Pulled::endless));
    }
    EXPECT_FALSE(sender.lets({}));
    sender.answer(Pull::follows);
    EXPECT_FALSE(sender.lets({})) << "acknowledged, and not its turn";
    sender.answer(Pull::is_this);
    EXPECT_TRUE(sender.lets({}));
    EXPECT_TRUE(sender.send(Pulled::endless));
    EXPECT_FALSE(sender.lets({}));
}

TEST(PullsTest, NoneIsAskedForWhatHasPermission) {
    Pulled sender;
    EXPECT_TRUE(sender.send(Bytes(4 * 1020))) << "2480 octets are left, for four frames";
    EXPECT_TRUE(sender.send(Bytes(3 * 1020))) << "1460 and a pull, for three";
    EXPECT_FALSE(sender.send(Bytes(2 * 1020))) << "440 and two pulls, for two";
    sender.answer(Pull::none_needed);
    EXPECT_TRUE(sender.lets({})) << "its own permission is back";
}

TEST(PullsTest, WhereNothingIsHeardOneFrameLeavesUnasked) {
    Pulled sender;
    for (int n = 0; n < 3; ++n) sender.send(Pulled::endless, us(n));
    EXPECT_EQ(sender.pulls.ready_at(Pulled::frame, us(50)), us(102));
    EXPECT_TRUE(sender.lets(us(102)));
    EXPECT_TRUE(sender.send(Pulled::endless, us(102))) << "pulls that were to come are lost";
    EXPECT_FALSE(sender.lets(us(201)));
    sender.answer(Pull::is_this, us(110));
    EXPECT_TRUE(sender.lets(us(110)));
}

std::string incast(const std::string& trim, const std::string& peer) {
    return "run: {time: 20ms}\n"
           "cable: {speed: 25G, length: 20m}\n"
           "topology: {star: {hosts: 9}}\n"
           "switch: {buffer: {size: 4MiB, alpha: 1/64}, defaults: {" +
           trim + "}}\npeers: [{hosts: all, " + peer +
           "}]\n"
           "flows:\n"
           "  - {name: write, from: all, to: h0, pattern: incast, bytes: 256KiB, priority: 3,\n"
           "     dscp: 26, size: 1500B, transport: selective}\n";
}

constexpr const char* trims = "trim: {dscp: {26: 27}, queue: 6, size: 78}";

// 8 times 256 KiB in frames of 1500 octets, of which 20 more are of the wire, at 25G.
TEST(PullsTest, AnIncastTakesAsLongAsItsOctetsTakeOfTheReceiversCable) {
    const FlowResult pushed = run(incast(trims, "rate_control: none")).flows.front();
    const FlowResult pulled = run(incast(trims, "rate_control: pulls")).flows.front();
    EXPECT_EQ(pulled.received, 1400U);
    EXPECT_EQ(pulled.rounds, 1U);
    EXPECT_EQ(pulled.lost, 0U);
    const double at_least = 1400.0 * 1520 * 8 / 25;
    EXPECT_GT(pulled.max_round_ns, at_least * 0.99) << "the last frames are shorter";
    EXPECT_LT(pulled.max_round_ns, at_least * 1.02);
    EXPECT_GT(pushed.max_round_ns, at_least * 1.1);
    EXPECT_LT(pulled.recovery->trimmed, 8U * 10);
    EXPECT_GT(pushed.recovery->trimmed, 1000U);
}

TEST(PullsTest, WhatIsLostComesAfterTheTimeouts) {
    const std::string peer = "rate_control: pulls, pulls: {initial: 150KiB, timeout: 200us}";
    const FlowResult flow = run(incast("", peer)).flows.front();
    EXPECT_GT(flow.lost, 100U);
    EXPECT_EQ(flow.rounds, 1U);
    EXPECT_EQ(flow.waiting, 0U);
}

TEST(PullsTest, FlowsThatAreNotMessagesArePulledToo) {
    const FlowResult flow = run(R"(
run: {time: 2ms, warmup: 500us}
cable: {speed: 25G, length: 20m}
topology: {star: {hosts: 5}}
peers: [{hosts: all, rate_control: pulls}]
flows: [{from: [h1, h2, h3, h4], to: h0, size: 1500B}]
)")
                                .flows.front();
    EXPECT_EQ(flow.lost, 0U);
    EXPECT_GT(flow.throughput, 25e9 * 1500 / 1520 * 0.98);
}

}  // namespace
}  // namespace sluice::sim

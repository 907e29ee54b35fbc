// Go-Back-N: which frames are sent again, that each is taken once and in order, and what it comes
// to where a switch drops some.
#include "tools/sim/network/go_back_n.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

constexpr Picos us(int64_t time) { return picos(Nanos(time * 1000)); }

// Returns a receiver's answer to a frame: the serial that it waits for; then `!` if it asks for a
// repetition from there, `-` if it has not taken the frame.
std::string answer(InOrder& receiver, uint64_t serial, uint64_t first = 0) {
    FrameReport report;
    Packet packet;
    packet.flow = 7;
    packet.serial = serial;
    packet.first = first;
    packet.report = &report;
    if (receiver.expects(packet)) {
        receiver.take(packet);
        return fmt::format("{} ", report.next);
    }
    receiver.refuse(packet);
    return fmt::format("{}{} ", report.next, report.refused ? "!" : "-");
}

TEST(GoBackNTest, AReceiverTakesEachFrameInItsTurnAndAsksOnceForOneThatIsMissing) {
    InOrder receiver;
    std::string said;
    for (const unsigned serial : {0U, 1U, 3U, 4U, 2U, 3U, 3U, 4U, 6U})
        said += answer(receiver, serial);
    EXPECT_EQ(said, "1 2 2! 2- 3 4 4- 5 5! ");
}

TEST(GoBackNTest, TheVeryFirstMayBeMissing) {
    InOrder receiver;
    std::string said;
    for (const unsigned serial : {1U, 2U, 0U}) said += answer(receiver, serial);
    EXPECT_EQ(said, "0! 0- 1 ");
}

TEST(GoBackNTest, WhatIsLeftOfAnEarlierFlowOfTheNumberIsNotTaken) {
    InOrder receiver;
    std::string said = answer(receiver, 0);
    said += answer(receiver, 5, 5);
    said += answer(receiver, 1);
    said += answer(receiver, 6, 5);
    EXPECT_EQ(said, "1 6 6- 7 ");
}

// A sender of frames of 1000 octets, one a microsecond.
struct Sending {
    GoBackN line{us(100), 0};
    int64_t now = 0;

    void send(int frames) {
        for (int n = 0; n < frames; ++n, ++now) line.send({Bytes(1000), us(now)}, us(now));
    }
    void receive(uint64_t next, bool refused = false, int64_t left = 1000) {
        FrameReport report;
        report.next = next;
        report.refused = refused;
        report.left = us(left);
        line.on_answer(report, us(now));
    }
    // Returns the frames that are repeated now.
    std::string repeated() {
        std::string serials;
        while (line.repeats()) {
            serials += fmt::format("{} ", line.repeated_serial());
            line.repeat(us(now));
        }
        return serials;
    }
};

TEST(GoBackNTest, ASenderGoesBackToWhatIsAskedFor) {
    Sending sending;
    sending.send(5);
    sending.receive(1);
    EXPECT_EQ(sending.repeated(), "");
    sending.receive(2, true);
    EXPECT_EQ(sending.repeated(), "2 3 4 ");
    sending.receive(5);
    sending.send(1);
    sending.receive(5, true);
    EXPECT_EQ(sending.repeated(), "5 ");
}

TEST(GoBackNTest, WhatIsAcknowledgedMeanwhileIsNotSentAgain) {
    Sending sending;
    sending.send(4);
    sending.receive(0, true);
    ASSERT_EQ(sending.line.repeated_serial(), 0U);
    sending.receive(3);
    EXPECT_EQ(sending.repeated(), "3 ");
    sending.receive(1, true);
    EXPECT_EQ(sending.repeated(), "") << "overtaken by a later answer";
}

TEST(GoBackNTest, WithoutProgressItGoesBackAfterTheTimeout) {
    Sending sending;
    EXPECT_EQ(sending.line.timer(), Schedule::never);
    sending.send(3);  // at 0, 1 and 2 us
    EXPECT_EQ(sending.line.timer(), us(100));
    sending.receive(1);
    EXPECT_EQ(sending.line.timer(), us(103));
    EXPECT_FALSE(sending.line.expire(us(102)));
    EXPECT_TRUE(sending.line.expire(us(103)));
    EXPECT_EQ(sending.line.timer(), Schedule::never) << "it has something to send";
    sending.now = 110;
    EXPECT_EQ(sending.repeated(), "1 2 ");
    EXPECT_EQ(sending.line.timer(), us(210));
    sending.receive(3);
    EXPECT_EQ(sending.line.timer(), Schedule::never);
}

TEST(GoBackNTest, ANakOfAFrameThatLeftBeforeItWentBackSaysNothingNew) {
    Sending sending;
    sending.send(3);
    ASSERT_TRUE(sending.line.expire(us(100)));
    sending.now = 100;
    EXPECT_EQ(sending.repeated(), "0 1 2 ");
    sending.receive(0, true, 1);
    EXPECT_EQ(sending.repeated(), "") << "of 1, as it was first sent";
    sending.receive(0, true, 100);
    EXPECT_EQ(sending.repeated(), "0 1 2 ") << "of 1, sent again; 0 was lost once more";
}

// --- in a network ---

// Four hosts send 256 KiB to one, at one moment.
NetworkResult incast(const std::string& defaults, const std::string& peers,
                     const std::string& flow) {
    return test::run("run: {time: 40ms}\ntopology: {star: {hosts: 5}}\nswitch: {buffer: {size: " +
                     defaults + "}\npeers: [{hosts: all" + peers +
                     "}]\nflows: [{from: [h1, h2, h3, h4], to: h0, pattern: incast, bytes: 256KiB, "
                     "priority: 3, ecn: true, timeout: 2ms, transport: go_back_n" +
                     flow + "}]\n");
}
constexpr uint64_t frames = 4 * 173;  // of 1522 octets
const std::string small = "64KiB}";
const std::string paused = "1MiB}, defaults: {lossless: [3]}";

TEST(GoBackNTest, WhereASwitchDropsItAllArrivesAllTheSame) {
    for (const std::string control :
         {"", ", rate_control: dcqcn", ", rate_control: dctcp",
          ", rate_control: hpcc, hpcc: {base_rtt: 100us}",
          ", rate_control: end_to_end_credit, end_to_end_credit: {bytes: 64KiB}"}) {
        const NetworkResult result = incast(small, control, "");
        const FlowResult& flow = result.flows[0];
        EXPECT_GT(flow.lost, 0U) << control;
        EXPECT_EQ(flow.rounds, 1U) << control;
        EXPECT_EQ(flow.received, frames) << control;
        EXPECT_GE(flow.recovery->retransmitted, flow.lost) << control;
        EXPECT_EQ(flow.waiting, 0U) << control;
        EXPECT_EQ(flow.sent - flow.recovery->retransmitted, frames) << control;
        EXPECT_EQ(result.disordered, 0U) << control;
    }
}

TEST(GoBackNTest, UnderPfcNothingIsSentAgain) {
    const NetworkResult result = incast(paused, "", "");
    const FlowResult& flow = result.flows[0];
    EXPECT_GT(result.ports[1].tx_pause, 0U);
    EXPECT_EQ(flow.recovery->retransmitted, 0U);
    EXPECT_EQ(flow.recovery->refused, 0U);
    EXPECT_EQ(flow.rounds, 1U);
    EXPECT_DOUBLE_EQ(flow.recovery->goodput, flow.throughput);
    // A thousandth of a second of the receiver's wire, and no more than a few pauses beside it.
    EXPECT_NEAR(flow.max_round_ns, frames * 1542 * 0.8, 20'000);
}

TEST(GoBackNTest, WithoutItWhatIsLostStaysLost) {
    const NetworkResult result = test::run(
        "run: {time: 40ms}\ntopology: {star: {hosts: 5}}\nswitch: {buffer: {size: 64KiB}}\n"
        "flows: [{from: [h1, h2, h3, h4], to: h0, pattern: incast, bytes: 256KiB}]\n");
    EXPECT_EQ(result.flows[0].rounds, 0U);
    EXPECT_FALSE(result.flows[0].recovery);
}

// A sender whose one frame is lost has none behind it that would be refused, and receives nothing.
TEST(GoBackNTest, WhatIsLostAtTheEndComesAfterTheTimeoutUnderAnyControl) {
    for (const std::string control :
         {"none", "dcqcn", "dctcp", "timely", "hpcc", "window, window: {bytes: 1522B}",
          "end_to_end_credit, end_to_end_credit: {bytes: 1522B}"}) {
        const NetworkResult result = test::run(R"(
run: {time: 40ms}
topology: {star: {hosts: 64}}
switch: {buffer: {size: 64KiB, alpha: 128}}
peers: [{hosts: all, rate_control: )" + control +
                                               R"(}]
flows: [{from: all, to: h0, pattern: incast, bytes: 1500B, timeout: 3ms, transport: go_back_n}]
)");
        const FlowResult& flow = result.flows[0];
        EXPECT_GT(flow.lost, 0U) << control;
        EXPECT_EQ(flow.recovery->refused, 0U) << control;
        EXPECT_EQ(flow.rounds, 1U) << control;
        EXPECT_GT(flow.max_round_ns, 3e6) << control;
        EXPECT_LT(flow.max_round_ns, 7e6) << control;
    }
}

TEST(GoBackNTest, AMarkOnARefusedFrameIsNotified) {
    const NetworkResult result = test::run(R"(
run: {time: 20ms}
topology: {star: {hosts: 3}}
switch: {buffer: {size: 64KiB}, defaults: {ecn: {3: {low: 0B, high: 1B, probability: 1}}}}
peers: [{hosts: all, rate_control: dcqcn, dcqcn: {cnp_interval: 0, least: 8G}}]
flows: [{from: [h1, h2], to: h0, pattern: incast, bytes: 1MiB, priority: 3, ecn: true,
         transport: go_back_n}]
)");
    const FlowResult& flow = result.flows[0];
    ASSERT_GT(flow.recovery->refused, 0U);
    EXPECT_EQ(flow.marked, flow.received) << "every frame is";
    EXPECT_GT(flow.notified, flow.marked);
}

TEST(GoBackNTest, IsTheSameEveryTime) {
    const FlowResult once = incast(small, ", rate_control: dctcp", "").flows[0];
    const FlowResult again = incast(small, ", rate_control: dctcp", "").flows[0];
    EXPECT_EQ(once.sent, again.sent);
    EXPECT_EQ(once.recovery->retransmitted, again.recovery->retransmitted);
    EXPECT_EQ(once.max_round_ns, again.max_round_ns);
}

TEST(GoBackNTest, TransfersFinishThoughTheirPlacesAreUsedAgain) {
    const NetworkResult result = test::run(R"(
run: {time: 30ms}
topology: {star: {hosts: 4}}
switch: {buffer: {size: 64KiB, alpha: 1/8}}
flows: [{from: all, to: all, pattern: transfers, bytes: 20000B, rate: 4G, stop: 10ms,
         transport: go_back_n, timeout: 500us}]
)");
    const FlowResult& flow = result.flows[0];
    EXPECT_GT(flow.lost, 0U);
    EXPECT_GT(flow.slowdown->begun, 800U);
    EXPECT_EQ(flow.slowdown->all.transfers, flow.slowdown->begun);
    EXPECT_EQ(result.disordered, 0U);
}

}  // namespace
}  // namespace sluice::sim

// Selective repeat: which frames leave again and when, that each is taken once, and what trimming
// is worth where a switch has no room.
#include "tools/sim/network/selective.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::run;

constexpr Picos us(int64_t time) { return picos(Nanos(time * 1000)); }

bool takes(AnyOrder& receiver, uint64_t serial, uint64_t first = 0) {
    Packet packet;
    packet.flow = 7;
    packet.serial = serial;
    packet.first = first;
    if (!receiver.expects(packet)) return false;
    receiver.take(packet);
    return true;
}

TEST(SelectiveTest, AReceiverTakesEachFrameOnceWhateverCameBefore) {
    AnyOrder receiver;
    std::string taken;
    for (const unsigned serial : {3U, 0U, 3U, 1U, 7U, 2U, 0U, 4U, 4U, 7U, 5U, 6U, 8U, 6U}) {
        taken += takes(receiver, serial) ? '+' : '-';
    }
    EXPECT_EQ(taken, "++-+++-+--+++-");
}

TEST(SelectiveTest, WhatIsLeftOfAnEarlierFlowOfTheNumberIsNotTaken) {
    AnyOrder receiver;
    EXPECT_TRUE(takes(receiver, 0));
    EXPECT_TRUE(takes(receiver, 6, 5));
    EXPECT_FALSE(takes(receiver, 1));
    EXPECT_TRUE(takes(receiver, 5, 5));
    EXPECT_FALSE(takes(receiver, 6, 5));
}

class Sender {
  public:
    explicit Sender(uint64_t first = 0) : selective(us(100), first) {}
    void send(Picos now) { selective.send({.length = Bytes(1500), .due = now}, now); }
    void answer(uint64_t serial, bool refused, Picos left) {
        FrameReport report;
        report.serial = serial;
        report.refused = refused;
        report.left = left;
        selective.on_answer(report, left);
    }
    // All that are to leave again, which do.
    std::string again(Picos now) {
        std::string serials;
        while (selective.repeats()) {
            serials += fmt::format("{} ", selective.repeated_serial());
            selective.repeat(now);
        }
        return serials;
    }
    Selective selective;
};

TEST(SelectiveTest, WhatCameTrimmedLeavesAgainAndNothingElse) {
    Sender sender;
    for (int n = 0; n < 5; ++n) sender.send(us(n));
    sender.answer(1, true, us(1));
    sender.answer(0, false, us(0));
    sender.answer(3, true, us(3));
    EXPECT_EQ(sender.again(us(10)), "1 3 ");
    sender.answer(1, true, us(1));  // of the first time that it left
    EXPECT_EQ(sender.again(us(11)), "");
    sender.answer(1, true, us(10));
    EXPECT_EQ(sender.again(us(12)), "1 ");
}

TEST(SelectiveTest, WhatNobodyAnswersLeavesAgainAfterTheTimeout) {
    Sender sender(40);
    for (int n = 0; n < 4; ++n) sender.send(us(n));
    sender.answer(41, false, us(1));
    EXPECT_EQ(sender.selective.timer(), us(100));
    EXPECT_FALSE(sender.selective.expire(us(99)));
    EXPECT_TRUE(sender.selective.expire(us(102)));
    EXPECT_EQ(sender.again(us(102)), "40 42 ");
    EXPECT_EQ(sender.selective.timer(), us(103));
    EXPECT_TRUE(sender.selective.expire(us(103)));
    sender.answer(43, false, us(3));  // late, and not needed again
    EXPECT_EQ(sender.again(us(104)), "");
    for (const uint64_t serial : {40U, 42U}) sender.answer(serial, false, us(102));
    EXPECT_EQ(sender.selective.timer(), Schedule::never);
}

// 8 hosts send 256 KiB to one, whose queue has room for less: trimmed frames are sent again at
// once, dropped frames after the timeout.
std::string incast(const std::string& trim) {
    return "run: {time: 20ms}\n"
           "cable: {speed: 25G, length: 20m}\n"
           "topology: {star: {hosts: 9}}\n"
           "switch: {buffer: {size: 4MiB, alpha: 1/32}, defaults: {" +
           trim +
           "}}\n"
           "flows:\n"
           "  - {name: write, from: [h1, h2, h3, h4, h5, h6, h7, h8], to: h0, pattern: incast,\n"
           "     bytes: 256KiB, priority: 3, dscp: 26, size: 1500B, transport: selective}\n";
}

TEST(SelectiveTest, AnIncastEndsSoonerWhereItsFramesAreTrimmed) {
    const NetworkResult lossy = run(incast(""));
    const NetworkResult trimmed = run(incast("trim: {dscp: {26: 27}, queue: 6, size: 78}"));
    for (const NetworkResult* result : {&lossy, &trimmed}) {
        const FlowResult& flow = result->flows.front();
        ASSERT_TRUE(flow.recovery.has_value());
        EXPECT_EQ(flow.rounds, 1U) << "all arrived";
        EXPECT_EQ(flow.waiting, 0U);
        EXPECT_GT(flow.recovery->retransmitted, 0U);
    }
    EXPECT_EQ(lossy.flows.front().recovery->trimmed, 0U);
    EXPECT_GT(lossy.flows.front().lost, 0U);
    EXPECT_GT(trimmed.flows.front().recovery->trimmed, 0U);
    EXPECT_LT(trimmed.flows.front().max_round_ns, lossy.flows.front().max_round_ns / 1.5);
}

// A trimmed frame is answered, taken by nobody, and of transports that know none lost.
TEST(SelectiveTest, OtherTransportsLoseWhatComesTrimmed) {
    std::string text = incast("trim: {dscp: {26: 27}, queue: 6, size: 78}");
    text.replace(text.find("selective"), 9, "go_back_n");
    const FlowResult flow = run(text).flows.front();
    EXPECT_EQ(flow.rounds, 1U);
    EXPECT_EQ(flow.recovery->trimmed, 0U);
    EXPECT_GT(flow.lost, 0U);
}

}  // namespace
}  // namespace sluice::sim

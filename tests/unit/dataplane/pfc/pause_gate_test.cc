#include "dataplane/pfc/pause_gate.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "tests/support/pauses.h"

namespace sluice {
namespace {

using namespace literals;

using test::pause_of;

PfcSettings obeying(PrioritySet lossless) {
    PfcSettings pfc;
    pfc.lossless = lossless;
    return pfc;
}

struct TenGigabits : PauseGate {
    explicit TenGigabits(PrioritySet honoured = 0xFF) { configure(obeying(honoured), 10_Gbps); }
};

TEST(PauseGate, IsOpenUntilItReceivesAPause) {
    PauseGate gate;
    EXPECT_EQ(gate.paused(0_ns), 0);
    gate.configure(obeying(0xFF), 10_Gbps);
    EXPECT_EQ(gate.paused(1_s), 0);
}

class PauseLength : public testing::TestWithParam<std::tuple<int, int>> {};

// Closed from the moment it receives to the last nanosecond before the time is over, and not
// longer.
TEST_P(PauseLength, IsTheQuantaAtThePortsSpeed) {
    const auto [quanta, gigabits] = GetParam();
    const BitsPerSecond speed = 1_Gbps * gigabits;
    const Nanos length = pause_time(Quanta(quanta), speed);
    EXPECT_GE(length.count() * gigabits, int64_t{quanta} * 512);
    EXPECT_LT((length.count() - 1) * gigabits, int64_t{quanta} * 512);

    PauseGate gate;
    gate.configure(obeying(0xFF), speed);
    const Nanos start = 7_s;
    gate.receive(pause_of(0x08, static_cast<uint16_t>(quanta)), start);
    EXPECT_EQ(gate.paused(start), 0x08);
    EXPECT_EQ(gate.paused(start + length - 1_ns), 0x08);
    EXPECT_EQ(gate.paused(start + length), 0);
    EXPECT_EQ(gate.history(3).total(start + length), length);
}

INSTANTIATE_TEST_SUITE_P(QuantaAndGigabits, PauseLength,
                         testing::Combine(testing::Values(10, 67, 394, 1000, 50000, 65535),
                                          testing::Values(1, 10, 25, 40, 100, 400)),
                         [](const auto& instance) {
                             return std::to_string(std::get<0>(instance.param)) + "at" +
                                    std::to_string(std::get<1>(instance.param)) + "G";
                         });

TEST(PauseGate, ANewPauseReplacesTheOld) {
    TenGigabits port;
    port.receive(pause_of(0x01, 50000), 0_us);  // until 2560 us
    port.receive(pause_of(0x01, 100), 100_us);  // until 105.12 us
    EXPECT_EQ(port.paused(105_us), 0x01);
    EXPECT_EQ(port.paused(106_us), 0);
}

TEST(PauseGate, ARefreshHoldsItWithoutAGap) {
    TenGigabits port;
    for (Nanos now = 0_us; now < 100_us; now += 5_us) {
        port.receive(pause_of(0x02, 195), now);  // 9.984 us each
        EXPECT_EQ(port.paused(now + 4_us), 0x02);
    }
    EXPECT_EQ(port.paused(104_us), 0x02);
    EXPECT_EQ(port.paused(105_us), 0);
    EXPECT_EQ(port.xoffs_received(1), 20U);
    EXPECT_EQ(port.history(1).total(1_s), 104'984_ns);  // one pause, counted once
}

TEST(PauseGate, ATimeOfZeroEndsItNow) {
    TenGigabits port;
    port.receive(pause_of(0x81, 50000), 0_us);
    port.receive(pause_of(0x80, 0), 30_us);
    EXPECT_EQ(port.paused(30_us), 0x01);
    EXPECT_EQ(port.history(7).total(1_s), 30_us);
    EXPECT_EQ(port.xoffs_received(7), 1U);  // an XON is no pause
}

TEST(PauseGate, ATimeOfZeroForWhoIsNotPausedIsNothing) {
    TenGigabits port;
    port.receive(pause_of(0xFF, 0), 30_us);
    EXPECT_EQ(port.paused(30_us), 0);
    EXPECT_EQ(port.history(0).total(1_s), 0_s);
}

TEST(PauseGate, OnlyEnabledPrioritiesAreWritten) {
    TenGigabits port;
    PauseFrame frame = pause_of(0x10, 1000);
    frame.time[5] = 9999;  // not enabled: its time says nothing
    port.receive(frame, 0_us);
    EXPECT_EQ(port.paused(1_us), 0x10);
}

TEST(PauseGate, ALossyPriorityIgnoresIt) {
    TenGigabits port(0x08);
    port.receive(pause_of(0xFF, 50000), 0_us);
    EXPECT_EQ(port.paused(1_us), 0x08);
    EXPECT_EQ(port.xoffs_received(0), 0U);
    EXPECT_EQ(port.xoffs_received(3), 1U);
}

TEST(PauseGate, PrioritiesEndOneByOne) {
    TenGigabits port;
    PauseFrame frame;
    frame.enabled = 0x07;
    frame.time = {100, 200, 300};  // 5.12, 10.24 and 15.36 us
    port.receive(frame, 0_us);
    EXPECT_EQ(port.paused(5_us), 0x07);
    EXPECT_EQ(port.paused(6_us), 0x06);
    EXPECT_EQ(port.paused(11_us), 0x04);
    EXPECT_EQ(port.paused(16_us), 0x00);
}

// A pause that ran out unseen, and a new one: the time between them was not paused.
TEST(PauseGate, CountsOnlyTheTimeThatWasPaused) {
    TenGigabits port;
    port.receive(pause_of(0x01, 1000), 0_us);    // 51.2 us
    port.receive(pause_of(0x01, 1000), 500_us);  // and again
    EXPECT_EQ(port.paused(600_us), 0);
    EXPECT_EQ(port.history(0).total(1_s), 102'400_ns);
    EXPECT_EQ(port.xoffs_received(0), 2U);
}

// A priority that becomes lossy is not held any more.
TEST(PauseGate, WhatIsNoLongerHonouredIsResumed) {
    TenGigabits port;
    port.receive(pause_of(0x09, 50000), 0_us);
    port.configure(obeying(0x01), 10_Gbps);
    EXPECT_EQ(port.paused(10_us), 0x01);
    EXPECT_EQ(port.history(3).total(1_s), 10_us);
}

// --- what ended pauses --------------------------------------------------------------------------

// The priorities that the peer resumed, after pauses of 33 ms received at these polls, each with
// the number of pauses since the poll before; asked at the last poll.
struct Poll {
    Nanos at;
    int pauses;
};
PrioritySet resumed_priorities(std::initializer_list<Poll> polls) {
    PauseGate gate;
    gate.configure(obeying(0x08), 1_Gbps);
    gate.receive(pause_of(0x08, 64453), 1_s);  // the first, at the moment it came
    gate.take_resumed(1_s);
    Nanos before = 1_s;
    for (const Poll& poll : polls) {
        for (int n = 0; n < poll.pauses; ++n) {
            gate.receive(pause_of(0x08, 64453), 1_s + poll.at, before);
        }
        before = 1_s + poll.at;
        EXPECT_EQ(gate.paused(before), 0x08) << "it is obeyed from when it is heard";
    }
    return gate.take_resumed(before) & 0x08;
}

TEST(PauseGate, APauseThatIsRefreshedLasts) {
    EXPECT_EQ(resumed_priorities({{16_ms, 1}, {32_ms, 1}, {48_ms, 1}}), 0);
}

// Two came while nobody looked: the peer may have paused all the time.
TEST(PauseGate, APauseThatIsRefreshedWhileNobodyLooksLasts) {
    EXPECT_EQ(resumed_priorities({{65_ms, 2}}), 0);
    EXPECT_EQ(resumed_priorities({{40_ms, 1}, {80_ms, 1}, {99_ms, 1}}), 0);
}

// One pause in 83 ms, which is longer than twice 33 ms.
TEST(PauseGate, APauseThatEndedWhileNobodyLookedIsOver) {
    EXPECT_EQ(resumed_priorities({{83_ms, 1}}), 0x08);
    EXPECT_EQ(resumed_priorities({{40_ms, 1}, {80_ms, 1}, {120_ms, 1}, {170_ms, 1}}), 0x08);
}

TEST(PauseGate, AnXonResumesThoughAPauseFollowsAtOnce) {
    TenGigabits port;
    port.receive(pause_of(0x08, 50000), 1_s);
    port.take_resumed(1_s);
    port.receive(pause_of(0x08, 0), 1_s + 1_us);
    port.receive(pause_of(0x08, 50000), 1_s + 1_us);
    EXPECT_EQ(port.take_resumed(1_s + 1_us) & 0x08, 0x08);
    EXPECT_EQ(port.take_resumed(1_s + 2_us) & 0x08, 0) << "it is told once";
}

// --- by a clock that stood still -----------------------------------------------------------------

TEST(PauseGate, WhatIsReceivedInALongPollLastsFromItsEnd) {
    TenGigabits port;
    port.receive(pause_of(0x01, 50000), 1_s - 1_us);
    port.receive(pause_of(0x08, 1000), 1_s);  // 51.2 us
    port.received_until(1_s + 10_ms, 1_s);
    EXPECT_EQ(port.paused(1_s + 10_ms + 51_us), 0x08) << "the one heard before has ended";
    EXPECT_EQ(port.paused(1_s + 10_ms + 52_us), 0);
}

TEST(PauseGate, ALongPollLengthensNothingThatAPeerEnded) {
    TenGigabits port;
    port.receive(pause_of(0x08, 1000), 1_s);
    port.receive(pause_of(0x08, 0), 1_s);
    port.received_until(1_s + 10_ms, 1_s);
    EXPECT_EQ(port.paused(1_s + 10_ms), 0);
}

// Four pauses of 2.56 ms, the one before among them, reach over 10 ms; three do not.
TEST(PauseGate, PausesThatReachOverALongPollNeverEndBetween) {
    for (const int pauses : {4, 3}) {
        TenGigabits port;
        port.receive(pause_of(0x08, 50000), 1_s - 1_us);
        port.take_resumed(1_s);
        for (int n = 1; n < pauses; ++n) port.receive(pause_of(0x08, 50000), 1_s);
        port.received_until(1_s + 10_ms, 1_s);
        EXPECT_EQ(port.take_resumed(1_s + 10_ms) & 0x08, pauses == 4 ? 0 : 0x08);
    }
}

// --- the pause of the whole link (802.3x) --------------------------------------------------------

PauseFrame link_pause(uint16_t quanta) {
    PauseFrame frame = pause_of(0xFF, quanta);
    frame.whole_link = true;
    return frame;
}

TEST(PauseGate, APauseOfTheLinkHoldsLossyPrioritiesToo) {
    PfcSettings pfc = obeying(0x08);
    pfc.link_pause = true;
    PauseGate gate;
    gate.configure(pfc, 10_Gbps);
    gate.receive(link_pause(1000), 0_us);  // 51.2 us
    EXPECT_EQ(gate.paused(51_us), 0xFF);
    EXPECT_EQ(gate.paused(52_us), 0);
    gate.receive(link_pause(1000), 100_us);
    gate.receive(link_pause(0), 110_us);
    EXPECT_EQ(gate.paused(110_us), 0);
}

// --- too many ------------------------------------------------------------------------------------

// The bucket is full at the start, whatever the time is.
TEST(PauseGate, BeyondItsLimitItDoesNotListen) {
    PfcSettings pfc = obeying(0xFF);
    pfc.rx_limit = 1000;  // a bucket of ten
    PauseGate gate;
    gate.configure(pfc, 10_Gbps);
    for (int n = 0; n < 10; ++n) EXPECT_TRUE(gate.receive(pause_of(0x01, 100), 0_s));
    EXPECT_FALSE(gate.receive(pause_of(0x02, 100), 0_s));
    EXPECT_EQ(gate.paused(0_s), 0x01);
    EXPECT_FALSE(gate.receive(pause_of(0x02, 100), 999_us));
    EXPECT_TRUE(gate.receive(pause_of(0x02, 100), 1_ms));
    EXPECT_EQ(gate.xoffs_received(0) + gate.xoffs_received(1), 11U);
}

// Otherwise a pause would last to its end.
TEST(PauseGate, AnXonCountsWhateverTheLimit) {
    PfcSettings pfc = obeying(0xFF);
    pfc.rx_limit = 1;
    PauseGate gate;
    gate.configure(pfc, 10_Gbps);
    EXPECT_TRUE(gate.receive(pause_of(0x01, 65535), 0_s));
    EXPECT_FALSE(gate.receive(pause_of(0x02, 65535), 1_us));
    EXPECT_TRUE(gate.receive(pause_of(0x01, 0), 2_us));
    EXPECT_EQ(gate.paused(2_us), 0);
}

// SONiC's asymmetric PFC: the peer may pause priorities that are lossy here.
TEST(PauseGate, AnAsymmetricPortObeysPausesOfAllPriorities) {
    PfcSettings pfc;
    pfc.lossless = only_priority(3);
    pfc.asymmetric = true;
    PauseGate gate;
    gate.configure(pfc, 10_Gbps);
    gate.receive(test::pause_of(only_priority(0) | only_priority(3), 65535), 1_ms);
    EXPECT_EQ(gate.paused(1_ms), only_priority(0) | only_priority(3));
    EXPECT_EQ(gate.may_be_held(), 0xFF) << "and the watchdog looks at all";
    pfc.asymmetric = false;
    gate.configure(pfc, 10_Gbps);
    gate.receive(test::pause_of(0xFF, 65535), 2_ms);
    EXPECT_EQ(gate.paused(2_ms) & only_priority(1), 0);
}

}  // namespace
}  // namespace sluice

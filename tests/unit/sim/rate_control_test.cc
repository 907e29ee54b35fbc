// DCQCN step by step against the paper's rules, and windows to the octet.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tools/sim/network/congestion/cnp_merge.h"
#include "tools/sim/network/congestion/dcqcn.h"
#include "tools/sim/network/congestion/window.h"

namespace sluice::sim {
namespace {

constexpr BitsPerSecond wire{40'000'000'000};
constexpr Picos us{1'000'000};

// Rates in Mb/s.
int64_t rate(Dcqcn& control, Picos now) { return control.rate(now).count() / 1'000'000; }

TEST(DcqcnTest, TheFirstNoticeHalvesTheRateAndAlphaThenFades) {
    Dcqcn control({}, wire);
    EXPECT_EQ(rate(control, us * 1000), 40'000) << "at the wire's speed until a notice";
    control.congested(us * 1000);
    EXPECT_EQ(rate(control, us * 1000), 20'000) << "alpha is 1";
    EXPECT_EQ(control.alpha_2_32(), uint64_t{1} << 32);
    control.rate(us * 1054);
    EXPECT_EQ(control.alpha_2_32(), uint64_t{1} << 32) << "not yet";
    control.rate(us * 1055);
    EXPECT_EQ(control.alpha_2_32(), (uint64_t{1} << 32) / 256 * 255);
}

TEST(DcqcnTest, ASecondNoticeCutsByHalfOfAlpha) {
    Dcqcn control({}, wire);
    control.congested(us);
    control.congested(us * 56);  // alpha 255/256, and half the way back to 40 Gb/s: 30
    EXPECT_EQ(rate(control, us * 56), 15'058) << "by 255/512";
    EXPECT_EQ(control.alpha_2_32(), (uint64_t{1} << 32) / 65536 * (255 * 256 - 255 + 256))
        << "a 256th of the way back to 1";
}

TEST(DcqcnTest, TheTimerHalvesTheWayToTheTargetAndThenTheTargetRises) {
    Dcqcn control({}, wire);
    control.congested(us * 10);
    control.congested(us * 10);  // 10 Gb/s, on its way to 20
    std::vector<int64_t> rates;
    for (int n = 1; n <= 6; ++n) rates.push_back(rate(control, us * (10 + 55 * n)));
    // Four times half the way; the fifth and sixth time the target is 40 Mb/s higher.
    EXPECT_EQ(rates, (std::vector<int64_t>{15'000, 17'500, 18'750, 19'375, 19'707, 19'893}));
}

TEST(DcqcnTest, TheByteCounterRaisesItToo) {
    Dcqcn control({.byte_counter = Bytes(10'000)}, wire);
    control.congested(us);
    for (int n = 0; n < 6; ++n) control.sent(Bytes(1522), us);
    EXPECT_EQ(rate(control, us), 20'000) << "9252 octets of the wire";
    control.sent(Bytes(1522), us);
    EXPECT_EQ(rate(control, us), 30'000);
}

TEST(DcqcnTest, BothTogetherRaiseItHyper) {
    Dcqcn control({.byte_counter = Bytes(1542), .fast_recovery = 1}, wire);
    control.congested(us);
    control.congested(us);          // 10 Gb/s, on its way to 20
    control.sent(Bytes(1522), us);  // bytes 1: additive, 20.04
    control.sent(Bytes(1522), us);  // bytes 2: additive, 20.08
    EXPECT_EQ(rate(control, us), (15'020 + 20'080) / 2);
    EXPECT_EQ(rate(control, us * 56), (17'550 + 20'120) / 2) << "timer 1: additive";
    EXPECT_EQ(rate(control, us * 111), (18'835 + 20'520) / 2) << "timer 2 and bytes 2: hyper";
}

// The settings of HPCC's authors: one round of fast recovery, one additive, then hyper.
TEST(DcqcnTest, ByTheTimerAloneOctetsRaiseNothingAndANoticeBeforeTheFirstRoundKeepsTheTarget) {
    Dcqcn control({.byte_counter = Bytes(1542), .fast_recovery = 1, .increase = Increase::timer},
                  wire);
    control.congested(us * 10);
    control.sent(Bytes(1522), us * 10);
    control.sent(Bytes(1522), us * 10);
    EXPECT_EQ(rate(control, us * 64), 20'000);
    EXPECT_EQ(rate(control, us * 65), 30'000) << "half the way to 40";
    control.congested(us * 66);
    control.congested(us * 66);
    EXPECT_EQ(rate(control, us * 66), 7'558);
    std::vector<int64_t> rates;
    for (int n = 1; n <= 4; ++n) rates.push_back(rate(control, us * (66 + 55 * n)));
    EXPECT_EQ(rates, (std::vector<int64_t>{18'779, 24'409, 27'424, 29'132}))
        << "towards 30, 30.04, 30.44 and 30.84";
}

TEST(DcqcnTest, StaysBetweenTheLeastAndTheWire) {
    Dcqcn control({}, wire);
    for (int n = 0; n < 100; ++n) control.congested(us);
    EXPECT_EQ(rate(control, us), 40);
    EXPECT_EQ(rate(control, us * 1'000'000), 40'000);
}

TEST(DcqcnTest, AFrameWaitsForItsShareOfTheWire) {
    Dcqcn control({}, wire);
    control.sent(Bytes(1522), us);
    EXPECT_EQ(control.ready_at(Bytes(1522), us), us + Picos(1542 * 200)) << "an octet is 200 ps";
    control.congested(us * 2);
    control.sent(Bytes(1522), us * 2);
    EXPECT_EQ(control.ready_at(Bytes(1522), us * 2), us * 2 + Picos(1542 * 400));
}

TEST(WindowTest, LetsOutItsOctetsAndThenWaitsForTheNextWindow) {
    Window window({.bytes = Bytes(4000), .span = Nanos(8192)});
    std::vector<int64_t> left;
    for (Picos now; left.size() < 9;) {
        now = window.ready_at(Bytes(1000), now);
        window.sent(Bytes(1000), now);
        left.push_back(now.count() / 1000);
    }
    EXPECT_EQ(left, (std::vector<int64_t>{0, 0, 0, 0, 8192, 8192, 8192, 8192, 16'384}));
}

TEST(WindowTest, WhatIsNotUsedIsNotSaved) {
    Window window({.bytes = Bytes(1000), .span = Nanos(4096)});
    const Picos late = picos(Nanos(4096 * 10 + 4000));
    window.sent(Bytes(1000), late);
    EXPECT_EQ(window.ready_at(Bytes(64), late), picos(Nanos(4096 * 11)));
    EXPECT_EQ(window.ready_at(Bytes(64), picos(Nanos(4096 * 11))), picos(Nanos(4096 * 11)));
}

TEST(CnpMergeTest, ANoticePassesAtMostOncePerIntervalAndPair) {
    CnpMerge merge(us * 50);
    EXPECT_TRUE(merge.passes(1, us));
    EXPECT_FALSE(merge.passes(1, us * 50));
    EXPECT_TRUE(merge.passes(2, us * 50)) << "another pair";
    EXPECT_TRUE(merge.passes(1, us * 51)) << "counted from the last that passed";
    EXPECT_FALSE(merge.passes(1, us * 100));
}

TEST(CnpMergeTest, OfNinePairsInTurnNoneIsRememberedLongEnough) {
    CnpMerge merge(us * 50);
    const auto passed = [&](uint32_t pairs) {
        int count = 0;
        for (uint32_t n = 0; n < 4 * pairs; ++n) count += merge.passes(n % pairs, us * 10) ? 1 : 0;
        return count;
    };
    EXPECT_EQ(passed(8), 8);
    EXPECT_EQ(passed(9), 4 * 9 - 8) << "of the first turn eight are there already";
}

}  // namespace
}  // namespace sluice::sim

#include "dataplane/ingress/storm_control.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice {
namespace {

using namespace literals;

StormControl frames_a_second(int64_t broadcast, int64_t unknown = 0, int64_t multicast = 0) {
    return StormControl({.in_frames = true, .rate = {broadcast, unknown, multicast}});
}

// Offers frames back to back at `now`. Returns how many are admitted.
int admitted(StormControl& control, StormControlKind kind, Nanos now, Bytes size = 60_B) {
    int count = 0;
    while (count < 100'000 && control.admit(kind, size, now) == Drop::none) ++count;
    return count;
}

TEST(StormControl, HoldsEachKindToItsRate) {
    StormControl control = frames_a_second(1000, 200, 100);
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 1_s), 10);
    EXPECT_EQ(admitted(control, StormControlKind::unknown_unicast, 1_s), 2);
    EXPECT_EQ(admitted(control, StormControlKind::multicast, 1_s), 1);
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 1005_ms), 5);
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 5_s), 10) << "no more is saved up";
}

TEST(StormControl, SaysWhich) {
    StormControl control = frames_a_second(100, 100, 100);
    const auto refusal = [&](StormControlKind kind) {
        admitted(control, kind, 1_s);
        return name_of(control.admit(kind, 60_B, 1_s));
    };
    EXPECT_EQ(refusal(StormControlKind::broadcast), "storm_broadcast");
    EXPECT_EQ(refusal(StormControlKind::unknown_unicast), "storm_unknown_unicast");
    EXPECT_EQ(refusal(StormControlKind::multicast), "storm_multicast");
}

TEST(StormControl, LetsEverythingByWithoutARate) {
    StormControl control = frames_a_second(0, 0, 5);
    EXPECT_TRUE(control.limits());
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 1_s), 100'000);
    EXPECT_FALSE(frames_a_second(0).limits());
}

TEST(StormControl, ASlowRateSavesUpForOneFrame) {
    StormControl control = frames_a_second(1);
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 10_s), 1);
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 10500_ms), 0);
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 11_s), 1);
}

TEST(StormControl, CountsBitsWithTheFcs) {
    StormControl control;
    control.configure({.in_frames = false, .rate = {512'000'000, 0, 0}});
    // 10 ms of it are 10 000 frames of 64 octets.
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 1_s), 10'000);
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 1001_ms), 1000);
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 1002_ms, 124_B), 500);
}

TEST(StormControl, TheFastestRateDoesNotWrap) {
    StormControl control;
    control.configure({.in_frames = false, .rate = {400'000'000'000, 0, 0}});
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 1'000'000_s), 100'000);
}

TEST(StormControl, KeepsPendingFramesWhenSettingsStay) {
    StormControl control = frames_a_second(1000);
    admitted(control, StormControlKind::broadcast, 1_s);
    control.configure({.in_frames = true, .rate = {1000, 7, 0}});
    EXPECT_EQ(admitted(control, StormControlKind::broadcast, 1_s), 0);
}

// A frame that one lane admits uses the other's rate as well; neither lane saves up the port's
// rate.
TEST(StormControl, LanesShareTheRateOfTheirPort) {
    StormControl one = frames_a_second(1000);
    StormControl other = frames_a_second(1000);
    one.add_lane(other);
    other.add_lane(one);
    int alone = 0;
    for (Nanos now = 1_s; now < 2_s; now += 1_ms) {
        alone += admitted(one, StormControlKind::broadcast, now);
    }
    EXPECT_NEAR(alone, 1000, 10);
    int both = 0;
    for (Nanos now = 2_s; now < 3_s; now += 1_ms) {
        both += one.admit(StormControlKind::broadcast, 60_B, now) == Drop::none ? 1 : 0;
        both += admitted(other, StormControlKind::broadcast, now);
    }
    EXPECT_NEAR(both, 1000, 10);
}

// Workers adopt new settings one after the other: a lane that still counts bits must not keep the
// other, which counts frames, from admitting any for long.
TEST(StormControl, LanesReturnNoMoreThanTheyHold) {
    StormControl one = frames_a_second(1000);
    StormControlSettings in_bits;
    in_bits.rate.fill(1'000'000'000);
    StormControl other(in_bits);
    one.add_lane(other);
    EXPECT_EQ(one.admit(StormControlKind::broadcast, 60_B, 1_s), Drop::none);
    EXPECT_EQ(other.admit(StormControlKind::broadcast, 1500_B, 1_s), Drop::none);
    EXPECT_NE(one.admit(StormControlKind::broadcast, 60_B, 1_s), Drop::none);
    EXPECT_EQ(one.admit(StormControlKind::broadcast, 60_B, 1_s + 25_ms), Drop::none);
}

}  // namespace
}  // namespace sluice

// Who obeys a pause: told by frames that come when none can be on its way any more, and by nothing
// that was only polled late.
#include "dataplane/pfc/pause_obedience.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

constexpr PrioritySet three = 0b0000'1000;

class Peer {
  public:
    Peer() {
        obedience.configure(20_us, 1_ms);
        obedience.paused(three, at(0));
    }
    static Nanos at(int64_t microseconds) { return Nanos(1'000'000 + microseconds * 1000); }
    // A burst of so many frames at that time.
    PrioritySet burst(int64_t microseconds, int frames, bool emptied = true) {
        for (int frame = 0; frame < frames; ++frame) obedience.arrived(3);
        return obedience.judge(emptied, at(microseconds));
    }
    PauseObedience obedience;
};

TEST(PauseObedience, WhatWasUnderWayIsNoDisobedience) {
    Peer peer;
    EXPECT_EQ(peer.burst(5, 9), 0);
    EXPECT_EQ(peer.burst(19, 9), 0);
    EXPECT_EQ(peer.burst(25, 1), 0) << "it may have come before 20 us were over";
    EXPECT_EQ(peer.burst(5000, 0), 0);
    EXPECT_EQ(peer.obedience.repeats(3), 0U);
}

TEST(PauseObedience, AnXoffThatMayBeLostIsSentAgainOnceAndAtOnce) {
    Peer peer;
    peer.burst(21, 1);
    EXPECT_EQ(peer.burst(23, 1), three) << "nothing waited at 21 us, so it came later";
    EXPECT_EQ(peer.burst(25, 4), 0);
    EXPECT_EQ(peer.burst(40, 4), 0) << "as long as that one is on its way";
    EXPECT_EQ(peer.obedience.repeats(3), 1U);
    EXPECT_EQ(peer.obedience.late(3), 0U) << "one may be lost";
}

TEST(PauseObedience, FramesInSpiteOfBothAreCounted) {
    Peer peer;
    peer.burst(21, 1);
    peer.burst(23, 1);
    peer.burst(1000, 7);
    EXPECT_EQ(peer.obedience.late(3), 0U) << "the second may have waited in a transmit ring";
    peer.burst(1100, 1);
    EXPECT_EQ(peer.burst(1200, 7), 0) << "it is not sent a third time, but as it would be";
    EXPECT_EQ(peer.obedience.late(3), 7U);
    peer.burst(1300, 2);
    EXPECT_EQ(peer.obedience.late(3), 9U);
    EXPECT_EQ(peer.obedience.repeats(3), 1U);
}

TEST(PauseObedience, AsPatientAsIsSaid) {
    Peer peer;
    peer.obedience.configure(20_us, 50_ms);
    peer.burst(21, 1);
    ASSERT_EQ(peer.burst(23, 1), three);
    for (int64_t later = 100; later < 50'000; later += 100) {
        ASSERT_EQ(peer.burst(later, 1), 0);
        ASSERT_EQ(peer.obedience.late(3), 0U) << later;
    }
    peer.burst(50'100, 1);
    peer.burst(50'200, 3);
    EXPECT_EQ(peer.obedience.late(3), 3U);
}

TEST(PauseObedience, FramesThatWaitedToBeReceivedCameInTime) {
    Peer peer;
    peer.burst(10, 64, false);
    for (int64_t later = 100; later < 5000; later += 100) {
        ASSERT_EQ(peer.burst(later, 64, false), 0) << later;
    }
    EXPECT_EQ(peer.burst(5000, 3), 0) << "the last of them";
    EXPECT_EQ(peer.burst(5001, 3), three);
}

TEST(PauseObedience, EachPauseIsJudgedAnew) {
    Peer peer;
    peer.burst(21, 0);
    ASSERT_EQ(peer.burst(23, 1), three);
    peer.obedience.resumed(three);
    EXPECT_EQ(peer.burst(3000, 9), 0);
    peer.obedience.paused(three, Peer::at(4000));
    EXPECT_EQ(peer.burst(4010, 9), 0);
    EXPECT_EQ(peer.burst(4030, 9), 0);
    EXPECT_EQ(peer.burst(4031, 9), three);
    EXPECT_EQ(peer.obedience.late(3), 0U);
}

TEST(PauseObedience, NobodyIsJudgedWithoutATime) {
    Peer peer;
    peer.obedience.configure(Nanos(0), 1_ms);
    for (int64_t at = 0; at < 9000; at += 10) ASSERT_EQ(peer.burst(at, 1), 0);
}

}  // namespace
}  // namespace sluice

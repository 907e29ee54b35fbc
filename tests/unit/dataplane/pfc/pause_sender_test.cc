#include "dataplane/pfc/pause_sender.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

// 10000 quanta at 10G last 512 us, so a refresh is due after 256.
struct Port : PauseSender {
    Port() { configure(10000_quanta, 10_Gbps, 0); }

    // Returns the frame that is sent at `now`; nothing enabled: no frame.
    PauseFrame send(Nanos now) {
        if (!due(now)) return {};
        const PauseFrame out = frame();
        sent(now);
        return out;
    }
};

TEST(PauseSender, HasNothingPendingAtFirst) {
    const Port port;
    EXPECT_FALSE(port.due(0_us));
    EXPECT_FALSE(port.due(10_s));
    EXPECT_EQ(port.pausing(), 0);
}

TEST(PauseSender, AChangeIsPendingUntilItWasSent) {
    Port port;
    port.pause(3);
    EXPECT_TRUE(port.due(1_us));
    EXPECT_TRUE(port.due(2_us));  // the device refused it at 1 us
    const PauseFrame frame = port.send(2_us);
    EXPECT_EQ(frame.enabled, 0x08);
    EXPECT_EQ(frame.time[3], 10000);
    EXPECT_FALSE(port.due(2_us));
    EXPECT_EQ(port.xoff_sent(3), 1U);
}

TEST(PauseSender, PausingTwiceIsOnce) {
    Port port;
    port.pause(3);
    port.send(0_us);
    port.pause(3);
    EXPECT_FALSE(port.due(1_us));
}

TEST(PauseSender, IsRefreshedAfterHalfItsTime) {
    Port port;
    port.pause(3);
    port.send(1000_us);
    EXPECT_FALSE(port.due(1255_us));
    EXPECT_TRUE(port.due(1256_us));
    EXPECT_EQ(port.send(1256_us).time[3], 10000);
    EXPECT_FALSE(port.due(1511_us));
    EXPECT_TRUE(port.due(1512_us));
    EXPECT_EQ(port.xoff_sent(3), 2U);
}

TEST(PauseSender, OneXonEndsIt) {
    Port port;
    port.pause(3);
    port.send(0_us);
    port.resume(3);
    const PauseFrame frame = port.send(10_us);
    EXPECT_EQ(frame.enabled, 0x08);
    EXPECT_EQ(frame.time[3], 0);
    EXPECT_EQ(port.xon_sent(3), 1U);
    EXPECT_FALSE(port.due(10_s));  // and nothing is refreshed any more
}

TEST(PauseSender, SeveralPrioritiesGoOutInOneFrame) {
    Port port;
    port.pause(0);
    port.pause(3);
    port.pause(7);
    port.send(0_us);
    port.resume(0);
    port.pause(5);
    const PauseFrame frame = port.send(10_us);
    EXPECT_EQ(frame.enabled, 0b1010'1001);  // 0 ends, 5 starts, 3 and 7 go on
    EXPECT_EQ(frame.time, (std::array<uint16_t, 8>{0, 0, 0, 10000, 0, 10000, 0, 10000}));
    EXPECT_FALSE(port.due(10_us));
    EXPECT_FALSE(port.due(265_us));  // a frame restarts every timer
    EXPECT_TRUE(port.due(266_us));
}

// Both changes came before a frame was sent: the peer knows the state already.
TEST(PauseSender, AChangeAndItsReverseSendNothing) {
    Port port;
    port.pause(3);
    port.resume(3);
    EXPECT_FALSE(port.due(0_us));
    port.pause(3);
    port.send(0_us);
    port.resume(3);
    port.pause(3);
    EXPECT_FALSE(port.due(1_us));
    EXPECT_TRUE(port.due(256_us));  // its refresh
}

TEST(PauseSender, ResumeAllSendsEveryPausedPriorityAnXon) {
    Port port;
    port.pause(1);
    port.pause(6);
    port.send(0_us);
    port.resume_all();
    const PauseFrame frame = port.send(1_us);
    EXPECT_EQ(frame.enabled, 0b0100'0010);
    EXPECT_EQ(frame.time, (std::array<uint16_t, 8>{}));
    port.resume_all();
    EXPECT_FALSE(port.due(2_us));
}

TEST(PauseSender, ChangedSettingsHoldFromTheNextFrame) {
    Port port;
    port.pause(3);
    port.send(0_us);
    port.configure(100_quanta, 10_Gbps, 0);  // 5.12 us
    EXPECT_TRUE(port.due(3_us));
    EXPECT_EQ(port.send(3_us).time[3], 100);
}

// 1000 frames a second are 500 pauses: an XON waits until 2 ms after the frame before it.
TEST(PauseSender, UnderALimitAnXonWaitsAndAnXoffDoesNot) {
    Port port;
    port.configure(65535_quanta, 10_Gbps, 1000);
    port.pause(3);
    port.send(0_us);
    port.resume(3);
    EXPECT_FALSE(port.due(1999_us - 400_us));
    port.pause(5);
    EXPECT_TRUE(port.due(1600_us));
    EXPECT_EQ(port.send(1600_us).enabled, 0b0010'1000);  // and takes the XON with it
    port.resume(5);
    EXPECT_FALSE(port.due(3599_us));
    EXPECT_TRUE(port.due(3600_us));
}

// However often it changes its mind in between.
TEST(PauseSender, UnderALimitNoXonIsStarved) {
    Port port;
    port.configure(65535_quanta, 10_Gbps, 1000);
    for (Nanos now = 0_us; now < 100_ms; now += 100_us) {
        port.pause(3);
        port.send(now);
        port.resume(3);
        port.send(now + 50_us);
    }
    EXPECT_GE(port.xon_sent(3), 45U);
    EXPECT_LE(port.xon_sent(3), 51U);
}

TEST(PauseSender, AtTheEndNothingWaitsForALimit) {
    Port port;
    port.configure(65535_quanta, 10_Gbps, 1);
    port.pause(3);
    port.send(0_us);
    port.resume_all();
    EXPECT_TRUE(port.is_pending());
    EXPECT_EQ(port.send(1_us).enabled, 0x08);
    EXPECT_FALSE(port.is_pending());
}

// The peer's timer runs by the last frame that it got.
TEST(PauseSender, ALongerPauseIsSentAtOnce) {
    Port port;
    port.configure(100_quanta, 10_Gbps, 0);  // 5.12 us
    port.pause(3);
    port.send(0_us);
    port.configure(65535_quanta, 10_Gbps, 0);
    EXPECT_TRUE(port.due(1_us));
    EXPECT_EQ(port.send(1_us).time[3], 65535);
    EXPECT_FALSE(port.due(2_us));
}

TEST(PauseSender, WhatARelayAsksForHasFramesOfItsOwn) {
    Port port;
    port.pause_for_relay(0x08, 2);
    port.pause(4);
    for (const Nanos now : {0_us, 256_us}) {  // and when they are refreshed
        const PauseFrame own = port.send(now);
        EXPECT_EQ(own.enabled, 0x10);
        EXPECT_EQ(own.relays, 0);
        const PauseFrame relayed = port.send(now);
        EXPECT_EQ(relayed.enabled, 0x08);
        EXPECT_EQ(relayed.relays, 2);
        EXPECT_FALSE(port.due(now + 255_us));
    }
    EXPECT_EQ(port.xoff_sent(3), 2U);
    EXPECT_EQ(port.xoff_sent(4), 2U);
    port.resume(4);
    const PauseFrame last = port.send(300_us);
    EXPECT_EQ(last.enabled, 0x18);
    EXPECT_EQ(last.time[4], 0);
    EXPECT_EQ(last.time[3], 10000);
    EXPECT_FALSE(port.due(555_us));
}

TEST(PauseSender, WhatIsNewGoesFirst) {
    Port port;
    port.pause(4);
    port.send(0_us);
    port.pause_for_relay(0x08, 1);
    EXPECT_EQ(port.send(10_us).enabled, 0x08);
    EXPECT_EQ(port.send(10_us).enabled, 0x10) << "and all timers begin anew";
    EXPECT_FALSE(port.due(265_us));
    port.pause(3);
    EXPECT_FALSE(port.due(265_us)) << "a second reason is no news";
    port.pause_for_relay(0);
    EXPECT_FALSE(port.due(265_us));
    EXPECT_EQ(port.send(266_us).enabled, 0x18) << "of the port's own now";
}

TEST(PauseSender, WhatEndsBeforeItsFrameWentOutIsNotReported) {
    Port port;
    port.pause_for_relay(0x08, 1);
    port.pause(4);
    port.send(0_us);
    port.pause_for_relay(0);
    EXPECT_FALSE(port.due(0_us));
    port.pause(5);
    EXPECT_EQ(port.send(100_us).enabled, 0x30);
    EXPECT_FALSE(port.due(355_us));
}

TEST(PauseSender, KnowsForHowLongThePeerWasHeld) {
    Port port;
    port.pause(3);
    port.send(100_us);
    port.send(400_us);  // a refresh
    port.resume(3);
    port.send(700_us);
    EXPECT_EQ(port.history(3).total(1_s), 600_us);
    EXPECT_EQ(port.history(4).total(1_s), 0_us);
}

}  // namespace
}  // namespace sluice

#include "dataplane/pfc/pause_relay.h"

#include <gtest/gtest.h>

#include "dataplane/pfc/pause_gate.h"
#include "tests/support/pauses.h"

namespace sluice {
namespace {

using namespace literals;

using test::pause_of;

constexpr PrioritySet three = 0x08;

// 195 quanta at 10 Gb/s are 9.984 us.
struct Relay : PauseRelay {
    explicit Relay(Nanos longest = 1_s) {
        configure({.to = 1, .priorities = 0x18, .longest = longest}, 10_Gbps);
    }
    void receive_pause_of(uint16_t quanta, Nanos now) {
        receive(pause_of(three, quanta), three, now);
    }
};

TEST(PauseRelay, HoldsForTheQuantaThatWereReceivedAndNotLonger) {
    Relay relay;
    EXPECT_EQ(relay.to_pause(7_s), 0);
    relay.receive_pause_of(195, 7_s);
    EXPECT_EQ(relay.to_pause(7_s), three);
    EXPECT_EQ(relay.to_pause(7_s + 9983_ns), three);
    EXPECT_EQ(relay.to_pause(7_s + 9984_ns), 0) << "whether or not anybody says so";
    EXPECT_EQ(relay.pauses(3), 1U);
    EXPECT_EQ(relay.resumes(3), 0U);
}

TEST(PauseRelay, ATimeOfZeroEndsItAtOnce) {
    Relay relay;
    relay.receive_pause_of(65535, 0_us);
    relay.receive_pause_of(0, 3_us);
    EXPECT_EQ(relay.to_pause(3_us), 0);
    EXPECT_EQ(relay.resumes(3), 1U);
}

TEST(PauseRelay, ANewPauseReplacesTheOld) {
    Relay relay;
    relay.receive_pause_of(65535, 0_us);
    relay.receive_pause_of(195, 1_us);
    EXPECT_EQ(relay.to_pause(10_us), three);
    EXPECT_EQ(relay.to_pause(11_us), 0);
}

TEST(PauseRelay, EachPriorityIsHeldByItself) {
    Relay relay;
    relay.receive(pause_of(0x18, 195), 0x18, 0_us);
    relay.receive(pause_of(0x10, 0), 0x10, 1_us);
    EXPECT_EQ(relay.to_pause(2_us), three);
}

TEST(PauseRelay, CountsFromTheEndOfAPollThatTookLong) {
    Relay relay;
    relay.receive_pause_of(195, 1_us);
    relay.received_until(101_us, 1_us);
    EXPECT_EQ(relay.to_pause(110_us), three);
    EXPECT_EQ(relay.to_pause(111_us), 0);
    relay.receive_pause_of(195, 200_us);
    relay.received_until(300_us, 199_us);  // another poll's
    EXPECT_EQ(relay.to_pause(210_us), 0);
}

// Refreshed each 5 us, without a break.
void keep_pausing(Relay& relay, Nanos& now, Nanos until) {
    for (; now < until; now += 5_us) relay.receive_pause_of(195, now);
}

TEST(PauseRelay, CutsWhatLastsTooLongUntilThePeerWasSilentForAsLong) {
    Relay relay(1_ms);
    Nanos now = 1_s;
    keep_pausing(relay, now, 1_s + 1_ms);
    EXPECT_EQ(relay.to_pause(1_s + 1_ms - 1_ns), three);
    EXPECT_EQ(relay.cut(), 0);
    EXPECT_EQ(relay.to_pause(1_s + 1_ms), 0);
    EXPECT_EQ(relay.cut(), three);
    EXPECT_EQ(relay.cuts(3), 1U);
    keep_pausing(relay, now, 1_s + 5_ms);
    EXPECT_EQ(relay.to_pause(now), 0) << "while it goes on";
    relay.receive_pause_of(0, 1_s + 5_ms);
    relay.receive_pause_of(195, 1_s + 6_ms - 1_ns);
    EXPECT_EQ(relay.to_pause(1_s + 6_ms - 1_ns), 0) << "not yet silent for as long";
    relay.receive_pause_of(0, 1_s + 6_ms);
    EXPECT_EQ(relay.to_pause(1_s + 7_ms), 0);
    EXPECT_EQ(relay.cut(), 0);
    relay.receive_pause_of(195, 1_s + 7_ms);
    EXPECT_EQ(relay.to_pause(1_s + 7_ms), three);
    EXPECT_EQ(relay.cuts(3), 1U);
}

TEST(PauseRelay, AnEndBetweenBeginsAnew) {
    Relay relay(1_ms);
    Nanos now = 1_s;
    for (int turn = 1; turn <= 5; ++turn) {
        keep_pausing(relay, now, 1_s + 900_us * turn);
        relay.receive_pause_of(0, now);
    }
    EXPECT_EQ(relay.cuts(3), 0U);
}

TEST(PauseRelay, ForgetsPrioritiesThatItHasNoMore) {
    Relay relay(1_ms);
    Nanos now = 1_s;
    keep_pausing(relay, now, 1_s + 2_ms);
    EXPECT_EQ(relay.to_pause(now), 0);
    EXPECT_EQ(relay.cut(), three);
    relay.configure({}, 10_Gbps);
    EXPECT_EQ(relay.cut(), 0);
    EXPECT_EQ(relay.to_pause(now), 0);
}

PauseFrame through(uint8_t relays, uint16_t quanta = 195) {
    PauseFrame pause = pause_of(three, quanta);
    pause.relays = relays;
    return pause;
}

TEST(PauseRelay, RefusesWhatCameThroughTooManyRelaysAndNeverItsEnd) {
    Relay relay;
    EXPECT_EQ(relay.receive(through(1), three, 1_s), 0);
    EXPECT_EQ(relay.depth_of(three), 2);
    EXPECT_EQ(relay.receive(through(2), three, 1_s), three);
    EXPECT_EQ(relay.to_pause(1_s), 0) << "that is in place of the other";
    EXPECT_EQ(relay.too_deep(3), 1U);
    EXPECT_EQ(relay.pauses(3), 1U);
    EXPECT_EQ(relay.receive(through(2, 0), three, 1_s), 0);
    EXPECT_EQ(relay.resumes(3), 1U);
}

TEST(PauseRelay, RefusesPausesThatBeginBeyondTheLimitAndNoRefresh) {
    PauseRelay relay;
    relay.configure({.to = 1, .priorities = three, .limit = 1}, 10_Gbps);
    for (int pause = 0; pause < 20; ++pause) {
        const PrioritySet refused = relay.receive(pause_of(three, 195), three, 1_s);
        EXPECT_EQ(refused, pause < 8 ? 0 : three) << pause;
        EXPECT_EQ(relay.receive(pause_of(three, 195), three, 1_s), refused) << "refreshed";
        EXPECT_EQ(relay.receive(pause_of(three, 0), three, 1_s), 0);
    }
    EXPECT_EQ(relay.too_many(3), 12U) << "what refreshes one of them begins nothing";
    EXPECT_EQ(relay.resumes(3), 20U);
    EXPECT_EQ(relay.receive(pause_of(three, 195), three, 2_s), 0);
}

TEST(PauseRelay, ReportsBreaksOfThePeersPauses) {
    Relay relay;
    relay.receive_pause_of(195, 1_s);
    EXPECT_EQ(relay.take_breaks(), three);
    relay.receive_pause_of(195, 1_s + 5_us);
    EXPECT_EQ(relay.take_breaks(), 0) << "refreshed";
    EXPECT_EQ(relay.asked(1_s + 5_us), three);
    EXPECT_EQ(relay.asked(1_s + 16_us), 0);
    relay.receive_pause_of(195, 1_s + 16_us);
    EXPECT_EQ(relay.take_breaks(), three);
    relay.receive_pause_of(0, 1_s + 17_us);
    EXPECT_EQ(relay.take_breaks(), three);
}

TEST(PauseRelay, WhatBeganBeyondTheLimitStaysRefusedUntilItEnds) {
    PauseRelay relay;
    relay.configure({.to = 1, .priorities = three, .limit = 1}, 10_Gbps);
    for (int pause = 0; pause < 8; ++pause) {
        EXPECT_EQ(relay.receive(pause_of(three, 195), three, 1_s), 0) << pause;
        relay.receive(pause_of(three, 0), three, 1_s);
    }
    EXPECT_EQ(relay.receive(pause_of(three, 65535), three, 1_s), three);
    EXPECT_EQ(relay.take_breaks(), three);
    for (Nanos now = 1_s; now < 3_s; now += 3_ms) {
        ASSERT_EQ(relay.receive(pause_of(three, 65535), three, now), three)
            << "though more may begin";
    }
    EXPECT_EQ(relay.take_breaks(), 0);
    EXPECT_EQ(relay.receive(pause_of(three, 65535), three, 4_s), 0) << "it ended by itself";
    EXPECT_EQ(relay.too_many(3), 1U);
}

// --- of the gate ---

PfcSettings relaying(uint32_t rx_limit = 0) {
    PfcSettings pfc;
    pfc.lossless = 0x18;
    pfc.rx_limit = rx_limit;
    pfc.relay = {.to = 1, .priorities = three};
    return pfc;
}

TEST(PauseRelay, TakesItsPrioritiesFromTheGateAndNoOther) {
    PauseGate gate;
    gate.configure(relaying(), 10_Gbps);
    EXPECT_TRUE(gate.receive(pause_of(0xFF, 195), 1_s));
    EXPECT_EQ(gate.paused(1_s), 0x10);
    EXPECT_EQ(gate.relay().to_pause(1_s), three);
    EXPECT_EQ(gate.xoffs_received(3), 0U);
    EXPECT_EQ(gate.xoffs_received(4), 1U);
    EXPECT_EQ(gate.relay().pauses(3), 1U);
}

TEST(PauseRelay, CountsTowardsTheLimitOfTheGate) {
    PauseGate gate;
    gate.configure(relaying(1), 10_Gbps);
    EXPECT_TRUE(gate.receive(pause_of(three, 195), 1_s));
    EXPECT_FALSE(gate.receive(pause_of(three, 195), 1_s + 5_us));
    EXPECT_EQ(gate.relay().pauses(3), 1U);
    EXPECT_EQ(gate.relay().to_pause(1_s + 10_us), 0);
    EXPECT_TRUE(gate.receive(pause_of(three, 0), 1_s + 11_us)) << "an XON only shortens";
}

// A PauseSender writes such frames: one class is resumed as another begins to be paused.
TEST(PauseRelay, AnXonInAFrameBeyondTheLimitIsNotLost) {
    PauseGate gate;
    gate.configure(relaying(1), 10_Gbps);
    EXPECT_TRUE(gate.receive(pause_of(0x18, 65535), 1_s));
    PauseFrame mixed = pause_of(0x18, 65535);
    mixed.time[3] = 0;
    EXPECT_FALSE(gate.receive(mixed, 1_s + 5_us));
    EXPECT_EQ(gate.relay().to_pause(1_s + 5_us), 0) << "is passed on";
    EXPECT_EQ(gate.xoffs_received(4), 1U);
    mixed = pause_of(0x18, 65535);
    mixed.time[4] = 0;
    EXPECT_FALSE(gate.receive(mixed, 1_s + 6_us));
    EXPECT_EQ(gate.paused(1_s + 6_us), 0) << "and so is one that is obeyed here";
    EXPECT_EQ(gate.relay().pauses(3), 1U);
}

TEST(PauseRelay, WhatItRefusesIsObeyed) {
    PauseGate gate;
    gate.configure(relaying(), 10_Gbps);
    gate.receive(through(2), 1_s);
    EXPECT_EQ(gate.paused(1_s + 9983_ns), three);
    EXPECT_EQ(gate.relay().to_pause(1_s), 0);
    EXPECT_EQ(gate.xoffs_received(3), 1U);
    EXPECT_EQ(gate.paused(1_s + 9984_ns), 0) << "as long as it asks for";
    gate.receive(through(2), 2_s);
    gate.receive(through(1), 2_s + 1_us);
    EXPECT_EQ(gate.paused(2_s + 1_us), 0) << "one that is relayed is in place of that";
    EXPECT_EQ(gate.relay().to_pause(2_s + 1_us), three);
    gate.receive(through(2), 2_s + 2_us);
    EXPECT_EQ(gate.relay().to_pause(2_s + 2_us), 0);
    gate.receive(through(2, 0), 2_s + 3_us);
    EXPECT_EQ(gate.paused(2_s + 3_us), 0);
    EXPECT_EQ(gate.take_resumed(2_s + 3_us) & three, three);
}

PfcSettings obeying() {
    PfcSettings pfc = relaying();
    pfc.relay = {};
    return pfc;
}

// 65535 quanta are 3,355,392 ns.
TEST(PauseRelay, APauseThatIsObeyedIsRelayedFromNowOn) {
    PauseGate gate;
    gate.configure(obeying(), 10_Gbps);
    gate.receive(pause_of(three, 65535), 1_s);
    EXPECT_EQ(gate.paused(1_s), three);
    gate.configure(relaying(), 10_Gbps);
    EXPECT_EQ(gate.paused(1_s + 1_us), 0);
    EXPECT_EQ(gate.relay().to_pause(1_s + 3'355'391_ns), three);
    EXPECT_EQ(gate.relay().to_pause(1_s + 3'355'392_ns), 0);
}

TEST(PauseRelay, APauseThatIsRelayedIsObeyedFromNowOn) {
    PauseGate gate;
    gate.configure(relaying(), 10_Gbps);
    gate.receive(pause_of(three, 65535), 1_s);
    EXPECT_EQ(gate.paused(1_s), 0);
    gate.configure(obeying(), 10_Gbps);
    EXPECT_EQ(gate.relay().to_pause(1_s + 1_us), 0);
    EXPECT_EQ(gate.paused(1_s + 3'355'391_ns), three);
    EXPECT_EQ(gate.paused(1_s + 3'355'392_ns), 0);
    EXPECT_EQ(gate.take_resumed(1_s + 3'355'392_ns) & three, 0) << "not before that";
}

TEST(PauseRelay, APauseThatIsOverIsHandedToNobody) {
    PauseGate gate;
    gate.configure(relaying(), 10_Gbps);
    gate.receive(pause_of(three, 65535), 1_s);
    gate.receive(pause_of(three, 0), 1_s + 1_us);
    gate.configure(obeying(), 10_Gbps);
    EXPECT_EQ(gate.paused(1_s + 2_us), 0);
    gate.receive(pause_of(three, 65535), 2_s);
    gate.receive(pause_of(three, 0), 2_s + 1_us);
    gate.configure(relaying(), 10_Gbps);
    EXPECT_EQ(gate.relay().to_pause(2_s + 2_us), 0);
}

}  // namespace
}  // namespace sluice

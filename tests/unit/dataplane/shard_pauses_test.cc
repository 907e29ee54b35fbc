// Pauses that are sent to peers, in the whole switch: those that one end of a relay receives, the
// other end's peer gets.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::lossless_settings;
using test::octets_of;
using test::pause_in;
using test::pause_of;
using test::Rig;
using test::station;
using test::three;
using test::to;

constexpr uint16_t asked = 1000;  // quanta that ports request, 51.2 us

void join(Settings& settings, PortIndex first, PortIndex second, Nanos longest = 1_s) {
    settings.ports[first].pfc.relay = {.to = second, .priorities = three, .longest = longest};
    settings.ports[second].pfc.relay = {.to = first, .priorities = three, .longest = longest};
}

// Ports 1 and 2 are the ends: a gateway is at the first, and the second is a tunnel.
Settings relayed(Nanos longest = 1_s) {
    Settings settings = lossless_settings(4);
    join(settings, 1, 2, longest);
    return settings;
}

void pause(Rig& rig, PortIndex port, uint16_t quanta, PrioritySet priorities = three) {
    rig.receive(port, {octets_of(pause_of(priorities, quanta))});
}

// Returns the pause time that the port sends its peer now; nothing: it sends no pause.
std::optional<uint16_t> pause_time_sent(Rig& rig, PortIndex port) {
    const auto octets = rig.send_pause_frame(port);
    if (octets.empty()) return {};
    const auto frame = pause_in(octets);
    EXPECT_TRUE(frame && frame->enabled == three);
    return frame ? std::optional(frame->time[3]) : std::nullopt;
}

TEST(ShardPauses, ThePeerOfTheOtherEndIsHeldAtOnceAndByItsOwnAddress) {
    Rig rig(relayed());
    pause(rig, 1, 65535);
    const auto octets = rig.send_pause_frame(2);
    ASSERT_EQ(octets.size(), pause_frame_octets);
    EXPECT_EQ(read_address(&octets[6]), rig.settings.ports[2].address);
    EXPECT_EQ(pause_in(octets)->time[3], asked);
    EXPECT_EQ(pause_time_sent(rig, 1), std::nullopt) << "nobody is told what it said itself";
    EXPECT_EQ(pause_time_sent(rig, 0), std::nullopt);
    EXPECT_EQ(pause_time_sent(rig, 3), std::nullopt);
    EXPECT_EQ(rig.drops(1, Drop::mac_control), 1U);
}

TEST(ShardPauses, GoesBothWays) {
    Rig rig(relayed());
    pause(rig, 2, 65535);
    EXPECT_EQ(pause_time_sent(rig, 1), asked);
    EXPECT_EQ(pause_time_sent(rig, 2), std::nullopt);
}

TEST(ShardPauses, WhatIsRelayedIsNotObeyedAndTheRestIs) {
    Settings settings = relayed();
    for (PortSettings& port : settings.ports) port.pfc.lossless |= 0x10;
    Rig rig(settings);
    pause(rig, 1, 65535, 0x18);
    rig.receive(0, "aaa", to(1, 3));
    rig.receive(0, "bb", to(1, 4));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "aaa");
    pause(rig, 1, 0, 0x10);
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "bb");
    EXPECT_EQ(rig.dataplane.egress(1).gate().xoffs_received(3), 0U);
    EXPECT_EQ(rig.dataplane.egress(1).gate().relay().pauses(3), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(ShardPauses, IsRefreshedAsLongAsItLastsAndEndsWithAnXon) {
    Rig rig(relayed());
    pause(rig, 1, 65535);  // 3.36 ms
    EXPECT_EQ(pause_time_sent(rig, 2), asked);
    EXPECT_EQ(pause_time_sent(rig, 2), std::nullopt);
    rig.now += 26_us;  // more than half of the requested time
    EXPECT_EQ(pause_time_sent(rig, 2), asked);
    pause(rig, 1, 0);
    EXPECT_EQ(pause_time_sent(rig, 2), 0);
    EXPECT_EQ(pause_time_sent(rig, 2), std::nullopt);
    EXPECT_EQ(rig.dataplane.egress(1).gate().relay().resumes(3), 1U);
}

TEST(ShardPauses, EndsByItsOwnTimeThoughThePeerIsGone) {
    Rig rig(relayed());
    pause(rig, 1, 4000);  // 204.8 us
    EXPECT_EQ(pause_time_sent(rig, 2), asked);
    int refreshed = 0;
    for (const Nanos end = rig.now + 204_us; rig.now < end; rig.now += 1_us) {
        if (const auto time = pause_time_sent(rig, 2)) refreshed += *time == asked ? 1 : 100;
    }
    EXPECT_EQ(refreshed, 7) << "each 26 us";
    rig.now += 1_us;
    EXPECT_EQ(pause_time_sent(rig, 2), 0);
}

// Frames for priority 3 of port 3, whose peer pauses, until port 1's own peer is to be paused.
void fill(Rig& rig, PortIndex input) {
    pause(rig, 3, 65535);
    rig.receive(input, std::string(40, 'x'), to(3, 3, input));
}

TEST(ShardPauses, AnXonOfTheOtherEndDoesNotEndAPauseOfItsOwn) {
    Rig rig(relayed());
    fill(rig, 1);
    EXPECT_EQ(pause_time_sent(rig, 1), asked);
    pause(rig, 2, 65535);
    EXPECT_EQ(pause_time_sent(rig, 1), std::nullopt) << "it is told already";
    pause(rig, 2, 0);
    EXPECT_EQ(pause_time_sent(rig, 1), std::nullopt);
    EXPECT_TRUE(rig.dataplane.ingress(1).pause_sender().pausing(3));
    pause(rig, 3, 0);
    rig.run();
    EXPECT_EQ(pause_time_sent(rig, 1), 0);
    EXPECT_TRUE(rig.at_rest());
}

TEST(ShardPauses, AnXonOfItsOwnDoesNotEndWhatIsRelayed) {
    Rig rig(relayed());
    rig.housekeep();  // the links come up here, and not in `run`, which would send XOFF again
    pause(rig, 2, 65535);
    EXPECT_EQ(pause_time_sent(rig, 1), asked);
    fill(rig, 1);
    pause(rig, 3, 0);
    rig.run();
    EXPECT_EQ(pause_time_sent(rig, 1), std::nullopt);
    pause(rig, 2, 0);
    EXPECT_EQ(pause_time_sent(rig, 1), 0);
    EXPECT_TRUE(rig.at_rest());
}

// While a peer is paused for the other end alone, its frames fill no headroom, and XOFF is where it
// always is.
TEST(ShardPauses, APortThatIsHeldForAnotherPausesForItselfAsWell) {
    Rig rig(relayed());
    pause(rig, 2, 65535);
    EXPECT_EQ(pause_time_sent(rig, 1), asked);
    fill(rig, 1);
    EXPECT_EQ(rig.dataplane.ingress(1).group(3).headroom(), Bytes(8 * 256));
    pause(rig, 2, 0);
    EXPECT_EQ(pause_time_sent(rig, 1), std::nullopt) << "the headroom is in use";
    pause(rig, 3, 0);
    rig.run();
    EXPECT_EQ(pause_time_sent(rig, 1), 0);
    EXPECT_TRUE(rig.at_rest());
}

TEST(ShardPauses, IllegalFramesAreCountedAndNotRelayed) {
    Settings settings = relayed();
    settings.ports[1].pfc.peers.name(station(60));
    Rig rig(settings);
    rig.receive(1, {octets_of(pause_of(three, 65535), station(61))});
    EXPECT_EQ(rig.drops(1, Drop::pause_source), 1U);
    auto octets = octets_of(pause_of(three, 65535));
    octets[5] = 0x02;  // another reserved address
    rig.receive(1, {octets});
    octets = octets_of(pause_of(three, 65535));
    octets[16] = 0x01;  // of the class-enable vector
    rig.receive(1, {octets});
    octets.resize(30);
    octets[16] = 0;
    rig.receive(1, {octets});
    EXPECT_EQ(rig.drops(1, Drop::pause_destination), 1U);
    EXPECT_EQ(rig.drops(1, Drop::pause_vector), 1U);
    EXPECT_EQ(rig.drops(1, Drop::pause_length), 1U);
    EXPECT_EQ(pause_time_sent(rig, 2), std::nullopt);
    pause(rig, 1, 65535);
    EXPECT_EQ(pause_time_sent(rig, 2), asked);
}

TEST(ShardPauses, CutsWhatLastsTooLong) {
    Rig rig(relayed(1_ms));
    bool released = false;
    for (const Nanos end = rig.now + 2_ms; rig.now < end; rig.now += 20_us) {
        pause(rig, 1, asked);
        released |= pause_time_sent(rig, 2) == uint16_t{0};
        rig.housekeep();
    }
    EXPECT_TRUE(released);
    EXPECT_EQ(rig.dataplane.egress(1).gate().relay().cuts(3), 1U);
    EXPECT_FALSE(rig.dataplane.ingress(2).pause_sender().pausing(3));
}

// Pauses that ports of a ring relay to each other after one pause that port 1 received, and when
// they sent the last.
struct Rounds {
    int frames = 0;
    Nanos last;
    uint8_t deepest = 0;
};
Rounds go_round(Rig& rig) {
    constexpr std::array<PortIndex, 4> peer_of = {1, 0, 3, 2};
    Rounds rounds;
    pause(rig, 1, asked);
    for (const Nanos end = rig.now + 10_ms; rig.now < end; rig.now += 1_us) {
        for (PortIndex port = 0; port < 4; ++port) {
            const auto octets = rig.send_pause_frame(port);
            if (octets.empty()) continue;
            rounds.deepest = std::max(rounds.deepest, pause_in(octets)->relays);
            rig.receive(peer_of[port], {octets});
            ++rounds.frames;
            rounds.last = rig.now;
        }
        rig.housekeep();
    }
    return rounds;
}

// Somebody plugged two relays into a ring, by switches of others: 1 to 2, then 3 to 0, then 1.
TEST(ShardPauses, APauseThatComesBackEndsAfterTheLongest) {
    Settings settings = lossless_settings(4);
    join(settings, 1, 2, 1_ms);
    join(settings, 0, 3, 1_ms);
    for (PortSettings& port : settings.ports) port.pfc.relay.depth = 15;
    Rig rig(settings);
    const Rounds rounds = go_round(rig);
    EXPECT_GT(rounds.frames, 4) << "it goes round";
    EXPECT_LT(rounds.last, 1_s + 2_ms);
    for (PortIndex port = 0; port < 4; ++port) {
        EXPECT_TRUE(rig.dataplane.ingress(port).pause_sender().at_rest()) << int{port};
        EXPECT_EQ(rig.dataplane.egress(port).gate().relay().cut(), 0) << int{port};
    }
}

TEST(ShardPauses, APauseThatComesBackGoesNoFurtherThanItMay) {
    Settings settings = lossless_settings(4);
    join(settings, 1, 2);
    join(settings, 0, 3);
    Rig rig(settings);
    const Rounds rounds = go_round(rig);
    EXPECT_EQ(rounds.deepest, 2);
    EXPECT_EQ(rig.dataplane.egress(1).gate().relay().too_deep(3), 1U);
    EXPECT_LT(rounds.last, 1_s + 200_us) << "it is obeyed where it came back to, and told no more";
    for (PortIndex port = 0; port < 4; ++port) {
        EXPECT_TRUE(rig.dataplane.ingress(port).pause_sender().at_rest()) << int{port};
        EXPECT_EQ(rig.dataplane.egress(port).gate().relay().cuts(3), 0U) << int{port};
    }
}

TEST(ShardPauses, SaysThroughHowManyRelaysAPauseCameAndOfItsOwnNone) {
    Rig rig(relayed());
    PauseFrame heard = pause_of(three, 65535);
    heard.relays = 1;
    rig.receive(1, {octets_of(heard)});
    EXPECT_EQ(pause_in(rig.send_pause_frame(2))->relays, 2);
    fill(rig, 0);
    const auto own = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(own);
    EXPECT_EQ(own->relays, 0);
}

TEST(ShardPauses, WhileTheOtherEndIsDownAPauseIsObeyedHere) {
    Rig rig(relayed());
    pause(rig, 1, 65535);
    EXPECT_EQ(pause_time_sent(rig, 2), asked);
    rig.dataplane.set_link(2, false);
    EXPECT_EQ(pause_time_sent(rig, 1), std::nullopt);
    EXPECT_EQ(rig.dataplane.egress(1).gate().relay().priorities(), 0);
    rig.receive(0, "a", to(1));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "") << "that in force goes on";
    pause(rig, 1, 0);
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "a");
    pause(rig, 1, 65535);
    EXPECT_EQ(rig.dataplane.egress(1).gate().xoffs_received(3), 1U);
    rig.receive(0, "b", to(1));
    rig.now += 100_us;
    rig.dataplane.set_link(2, true);
    EXPECT_EQ(pause_time_sent(rig, 1), std::nullopt);
    EXPECT_EQ(pause_time_sent(rig, 2), asked) << "and is told once somebody is there";
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "b");
}

// Port 2 asks, and somebody answered once.
TEST(ShardPauses, OnceTheOtherEndOfATunnelAnswersNoMoreAPauseIsObeyedHere) {
    Settings settings = relayed();
    settings.ports[2].pfc.relay.probes = true;
    Rig rig(settings);
    const RelayProbe& probe = rig.dataplane.egress(2).gate().relay().measured();
    const auto asks = [&] {
        const auto octets = rig.send_pause_frame(2);
        const auto question = octets.empty() ? std::nullopt : pause_in(octets);
        EXPECT_TRUE(question);
        return question.value_or(PauseFrame{});
    };
    PauseFrame answer = asks();
    EXPECT_FALSE(probe.has_ceased(rig.now)) << "nobody has to answer";
    answer.time[1] = 2;
    rig.receive(2, {octets_of(answer)});
    ASSERT_TRUE(probe.round_trips(rig.now));
    rig.now += 7_s;
    EXPECT_EQ(pause_time_sent(rig, 1), std::nullopt);
    pause(rig, 1, 65535);
    rig.receive(0, "a", to(1));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "");
    answer = asks();
    answer.time[1] = 2;
    rig.receive(2, {octets_of(answer)});
    EXPECT_EQ(pause_time_sent(rig, 1), std::nullopt);
    EXPECT_EQ(pause_time_sent(rig, 2), asked);
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "a");
}

// Port 1's peer pauses for ever, with or without breaks. The results are about port 2.
struct Storm {
    bool is_paused = false;  // at the end
    uint64_t detected = 0;
    std::string sent;  // to port 1 at the end
    uint64_t dropped = 0;
};
Storm storm(WatchdogAction action, bool with_breaks = false) {
    Settings settings = relayed(60_s);
    settings.ports[1].pfc.watchdog.action = action;
    Rig rig(settings);
    for (const Nanos end = rig.now + 1_s; rig.now < end; rig.now += 2_ms) {
        if (with_breaks) pause(rig, 1, 0);
        pause(rig, 1, 65535);
        rig.send_pause_frame(2);
        rig.housekeep();
    }
    rig.receive(0, "a", to(1));
    rig.poll();
    const Storm seen{.is_paused = rig.dataplane.ingress(2).pause_sender().pausing(3),
                     .detected = rig.dataplane.egress(1).watchdog().detected(3),
                     .sent = rig.sent_now(1),
                     .dropped = rig.drops(0, Drop::pfc_storm)};
    pause(rig, 1, 0);
    for (const Nanos end = rig.now + 1_s; rig.now < end; rig.now += 2_ms) rig.housekeep();
    EXPECT_EQ(rig.dataplane.egress(1).watchdog().pfc_storms(), 0);
    EXPECT_EQ(rig.dataplane.egress(1).watchdog().restored(3), seen.detected);
    EXPECT_TRUE(rig.at_rest());
    return seen;
}

TEST(ShardPauses, TheWatchdogFindsWhatARelayIsAskedForWithoutABreak) {
    const Storm alert = storm(WatchdogAction::alert);
    EXPECT_EQ(alert.detected, 1U);
    EXPECT_TRUE(alert.is_paused);
    EXPECT_EQ(alert.sent, "a");
    const Storm forward = storm(WatchdogAction::forward);
    EXPECT_EQ(forward.detected, 1U);
    EXPECT_FALSE(forward.is_paused);
    EXPECT_EQ(forward.sent, "a");
    const Storm drop = storm(WatchdogAction::drop);
    EXPECT_EQ(drop.detected, 1U);
    EXPECT_FALSE(drop.is_paused);
    EXPECT_EQ(drop.sent, "");
    EXPECT_EQ(drop.dropped, 1U);
    EXPECT_EQ(storm(WatchdogAction::off).detected, 0U);
    EXPECT_EQ(storm(WatchdogAction::drop, true).detected, 0U) << "pauses with breaks between";
}

// Ports 1 and 2 are of one switch here, and so the two ends of a tunnel.
TEST(ShardPauses, AsksHowLongAPauseTakesWhereItIsToAndNowhereElse) {
    Settings settings = lossless_settings(4);
    join(settings, 0, 1);
    join(settings, 3, 2);
    settings.ports[1].pfc.relay.probes = true;
    settings.ports[2].pfc.relay.probes = true;
    Rig rig(settings);
    const auto cross = [&](PortIndex from, PortIndex to_port) {
        const auto octets = rig.send_pause_frame(from);
        ASSERT_FALSE(octets.empty());
        EXPECT_EQ(pause_in(octets)->enabled, 0);
        rig.now += 4_ms;
        rig.receive(to_port, {octets});
    };
    cross(1, 2);  // the question
    cross(2, 1);  // the answer
    const RelayProbe& probe = rig.dataplane.egress(1).gate().relay().measured();
    ASSERT_TRUE(probe.round_trips(rig.now));
    EXPECT_EQ(probe.round_trips(rig.now)->longest, 8_ms);
    EXPECT_EQ(pause_time_sent(rig, 0), std::nullopt);
    EXPECT_EQ(pause_time_sent(rig, 3), std::nullopt);
    pause(rig, 0, 65535);
    EXPECT_EQ(pause_time_sent(rig, 1), asked);
    EXPECT_EQ(rig.dataplane.ingress(1).pause_sender().xoff_sent(3), 1U);
    EXPECT_EQ(rig.dataplane.ingress(2).pause_sender().xoff_sent(3), 0U) << "a probe is none";
    EXPECT_EQ(rig.dataplane.counters(2).generated.value(), 1U);
}

TEST(ShardPauses, WhatIsNoEndAnyMoreObeysAndRelaysNothing) {
    Rig rig(relayed());
    pause(rig, 1, 65535);
    EXPECT_EQ(pause_time_sent(rig, 2), asked);
    rig.adopt(lossless_settings(4));
    EXPECT_EQ(pause_time_sent(rig, 2), 0);
    rig.receive(0, "a", to(1));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "") << "what was relayed is obeyed";
    pause(rig, 1, 65535);
    EXPECT_EQ(pause_time_sent(rig, 2), std::nullopt);
}

TEST(ShardPauses, WhatIsAnEndFromNowOnRelaysWhatItObeyed) {
    Rig rig(lossless_settings(4));
    pause(rig, 1, 65535);
    EXPECT_EQ(pause_time_sent(rig, 2), std::nullopt);
    rig.adopt(relayed());
    EXPECT_EQ(pause_time_sent(rig, 2), asked);
}

TEST(ShardPauses, AtTheEndEverybodyIsResumed) {
    Rig rig(relayed());
    pause(rig, 1, 65535);
    EXPECT_EQ(pause_time_sent(rig, 2), asked);
    Shard& shard = rig.dataplane.shard(0);
    shard.release_peers();
    EXPECT_TRUE(shard.has_pending_peer_frames());
    EXPECT_EQ(pause_time_sent(rig, 2), 0);
    EXPECT_FALSE(shard.has_pending_peer_frames());
}

}  // namespace
}  // namespace sluice

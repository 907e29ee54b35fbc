// Losing nothing: the whole switch between peers that pause it and peers that it pauses. Named
// after what those who test lossless switches test; time is the rig's, so every span is exact.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/support/both_ways.h"
#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/rig.h"

#include "dataplane/pfc/pause_trial.h"
namespace sluice {
namespace {

using namespace literals;
using test::octets_of;
using test::pause_in;
using test::pause_of;
using test::Rig;
using test::station;
using test::three;
using test::to;

class SwitchPfc : public test::BothWays {};
INSTANTIATE_TEST_SUITE_P(Ways, SwitchPfc, testing::Bool(), test::way);

TEST_P(SwitchPfc, PausesItsPeerAndResumesIt) {
    Rig rig(lossless_settings());
    EXPECT_TRUE(rig.send_pause_frame(0).empty());
    rig.receive(0, std::string(32, 'a'), to(1, 3));  // a cell of 256 each: XOFF is reached
    const auto xoff = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xoff);
    EXPECT_EQ(xoff->enabled, 0b0000'1000);
    EXPECT_EQ(xoff->time[3], 1000);
    EXPECT_TRUE(rig.send_pause_frame(0).empty());
    rig.now += 26_us;  // half of 1000 quanta at 10G
    EXPECT_FALSE(rig.send_pause_frame(0).empty());

    rig.run();
    const auto xon = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xon);
    EXPECT_EQ(xon->enabled, 0b0000'1000);
    EXPECT_EQ(xon->time[3], 0);
    EXPECT_EQ(rig.dataplane.counters(0).generated.value(), 3U);
    EXPECT_EQ(rig.dataplane.counters(0).tx_frames.value(), 3U);
    EXPECT_EQ(rig.dataplane.counters(0).tx_bytes.value(), 3U * 60);
    EXPECT_EQ(rig.sent(1).size(), 32U);
    EXPECT_TRUE(rig.at_rest());
}

// A pause that was on the wire is lost with the link.
TEST_P(SwitchPfc, PausesItsPeerAgainWhenTheLinkComesBack) {
    Rig rig(lossless_settings());
    rig.receive(0, std::string(32, 'a'), to(1, 3));
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.dataplane.set_link(0, false);
    rig.housekeep();
    EXPECT_TRUE(rig.send_pause_frame(0).empty());
    rig.dataplane.set_link(0, true);
    rig.housekeep();
    const auto xoff = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xoff);
    EXPECT_EQ(xoff->enabled, 0b0000'1000);
    EXPECT_EQ(xoff->time[3], 1000);
    EXPECT_TRUE(rig.send_pause_frame(0).empty());

    rig.run();
    EXPECT_FALSE(rig.send_pause_frame(0).empty());
    rig.dataplane.set_link(0, false);
    rig.housekeep();
    rig.dataplane.set_link(0, true);
    rig.housekeep();
    EXPECT_TRUE(rig.send_pause_frame(0).empty()) << "it pauses nobody any more";
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchPfc, APortWithoutFlowControlObeysNobody) {
    Settings settings = lossless_settings();
    settings.ports[1].flow_control = FlowControl::none;
    Rig rig(settings);
    rig.receive(1, {octets_of(pause_of(0b0000'1000, 1000))});
    EXPECT_EQ(rig.drops(1, Drop::pause_opcode), 1U);
    rig.receive(0, "a", to(1, 3));
    rig.run();
    EXPECT_EQ(rig.sent(1), "a");
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchPfc, SendsFromThePortsOwnAddress) {
    Rig rig(lossless_settings());
    rig.receive(0, std::string(32, 'a'), to(1, 3));
    const auto octets = rig.send_pause_frame(0);
    ASSERT_EQ(octets.size(), 60U);
    EXPECT_EQ(read_address(&octets[6]), rig.settings.ports[0].address);
}

// A peer that stops in time loses nothing; one that does not is cut at the end of the headroom.
TEST_P(SwitchPfc, OverrunsOnlyBeyondTheHeadroom) {
    Rig rig(lossless_settings());
    rig.receive(0, std::string(64, 'a'), to(1, 3));  // 32 up to XOFF and 32 in the headroom
    EXPECT_EQ(rig.drops(0, Drop::headroom_overrun), 0U);
    rig.receive(0, "b", to(1, 3));
    EXPECT_EQ(rig.drops(0, Drop::headroom_overrun), 1U);
    rig.run();
    EXPECT_EQ(rig.sent(1), std::string(64, 'a'));
    EXPECT_TRUE(rig.at_rest());
}

// Whatever the limit, and though an output is congested still.
TEST_P(SwitchPfc, SendsEveryPausedPeerAnXonAtTheEnd) {
    Settings settings = lossless_settings();
    for (PortSettings& port : settings.ports) {
        port.pfc.trigger = PauseTrigger::egress;
        port.pfc.tx_limit = 1;
    }
    Rig rig(settings);
    rig.receive(0, std::string(64, 'a'), to(1));
    rig.send_pause_frame(1);  // evaluates the congestion of its queues
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    EXPECT_FALSE(rig.dataplane.shard(0).has_pending_peer_frames());
    rig.dataplane.shard(0).release_peers();
    EXPECT_TRUE(rig.dataplane.shard(0).has_pending_peer_frames());
    rig.send_pause_frame(1);
    const auto xon = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xon);
    EXPECT_EQ(xon->time[3], 0);
    EXPECT_FALSE(rig.dataplane.shard(0).has_pending_peer_frames());
    EXPECT_TRUE(rig.send_pause_frame(0).empty());
}

TEST_P(SwitchPfc, ALossyPriorityDropsOverItsThresholdAndPausesNobody) {
    Settings settings = lossless_settings();
    Rig rig(settings);
    for (int burst = 0; burst < 8; ++burst) rig.receive(0, std::string(64, 'a'), to(1, 0));
    EXPECT_GT(rig.drops(0, Drop::over_threshold), 0U);
    EXPECT_TRUE(rig.send_pause_frame(0).empty());
    rig.run();
    EXPECT_EQ(rig.sent(1).size() + rig.drops(0, Drop::over_threshold), 512U);
    EXPECT_TRUE(rig.at_rest());
}

// --- what a tester asks for ----------------------------------------------------------------------

TEST_P(SwitchPfc, XoffLimit) {
    Rig rig(lossless_settings());
    rig.receive(0, std::string(31, 'a'), to(1));
    EXPECT_TRUE(rig.send_pause_frame(0).empty());
    rig.receive(0, "a", to(1));
    EXPECT_FALSE(rig.send_pause_frame(0).empty());
    EXPECT_EQ(rig.dataplane.ingress(0).pause_sender().xoff_sent(3), 1U);
}

TEST_P(SwitchPfc, XonLimit) {
    Settings settings = lossless_settings();
    settings.fabric.quantum = 1518_B;  // 26 frames of 60 octets
    Rig rig(settings);
    rig.receive(0, std::string(52, 'a'), to(1));  // 20 in the headroom
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.slot();
    EXPECT_EQ(rig.dataplane.ingress(0).group(3).headroom(), 0_B);
    EXPECT_EQ(rig.dataplane.ingress(0).group(3).used(), 256_B * 26);
    EXPECT_TRUE(rig.send_pause_frame(0).empty());  // above XON
    rig.transmit(1);
    rig.slot();
    EXPECT_FALSE(rig.send_pause_frame(0).empty());
    EXPECT_EQ(rig.dataplane.ingress(0).pause_sender().xon_sent(3), 1U);
}

TEST_P(SwitchPfc, Hysteresis) {
    Settings settings = lossless_settings();
    settings.ports[1].rate = 1_Gbps;
    Rig rig(settings);
    // The group goes up and down between XON and XOFF: no pause frame is sent.
    for (int turn = 0; turn < 100; ++turn) {
        const auto held = rig.dataplane.ingress(0).group(3).used().count() / 256;
        const auto room = static_cast<std::size_t>(31 - held);
        rig.receive(0, std::string(room, 'a'), to(1));
        EXPECT_TRUE(rig.send_pause_frame(0).empty());
        rig.now += 5_us;
        rig.poll();
        EXPECT_TRUE(rig.send_pause_frame(0).empty());
    }
    EXPECT_GT(rig.sent(1).size(), 500U);
}

TEST_P(SwitchPfc, HeadroomWatermark) {
    Rig rig(lossless_settings());
    rig.receive(0, std::string(32 + 20, 'a'), to(1));
    rig.run();
    rig.receive(0, std::string(32 + 5, 'a'), to(1));
    rig.run();
    EXPECT_EQ(rig.dataplane.ingress(0).group(3).headroom_max(), 20U * 256);
    EXPECT_EQ(rig.drops(0, Drop::headroom_overrun), 0U);
}

TEST_P(SwitchPfc, PauseUnpauseLossless) {
    Rig rig(lossless_settings());
    rig.receive(1, {octets_of(pause_of(three, 65535))});
    rig.receive(0, "abc", to(1));
    rig.receive(0, "xyz", to(1, 0));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "xyz");
    rig.receive(1, {octets_of(pause_of(three, 0))});
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "abc");
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchPfc, PauseLossyPriorityIsIgnored) {
    Rig rig(lossless_settings());
    rig.receive(1, {octets_of(pause_of(0xFF & ~three, 65535))});
    rig.receive(0, "abc", to(1, 0));
    rig.receive(0, "def", to(1, 7));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "defabc");
}

TEST_P(SwitchPfc, NoClassEnabled) {
    Rig rig(lossless_settings());
    rig.receive(1, {octets_of(pause_of(0, 65535))});
    rig.receive(0, "abc", to(1));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "abc");
    EXPECT_EQ(rig.drops(1, Drop::mac_control), 1U);
}

TEST_P(SwitchPfc, ZeroSourceMac) {
    Rig rig(lossless_settings());
    rig.receive(1, {octets_of(pause_of(three, 65535), MacAddress{})});
    rig.receive(0, "abc", to(1));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "");  // legal as long as the peer is not known
    Settings known = rig.settings;
    known.ports[1].pfc.peers.name(station(1));
    rig.adopt(known);
    rig.receive(1, {octets_of(pause_of(three, 0), MacAddress{})});
    rig.poll();
    EXPECT_EQ(rig.drops(1, Drop::pause_source), 1U);
    EXPECT_EQ(rig.sent_now(1), "");
    rig.receive(1, {octets_of(pause_of(three, 0), station(1))});
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "abc");
}

TEST_P(SwitchPfc, ATrialOfTheCableIsLeftForControlWhereThatWantsIt) {
    Settings settings = lossless_settings();
    settings.ports[1].flow_control = FlowControl::none;
    Rig rig(settings);
    test::Octets trial(pause_frame_octets);
    write_pause_trial(std::span<uint8_t, pause_frame_octets>(trial), station(1), {1, 2, 3});
    rig.receive(1, {trial});
    EXPECT_EQ(rig.drops(1, Drop::pause_opcode), 1U);
    EXPECT_TRUE(rig.dataplane.received(1).front().empty());
    rig.dataplane.want_trials(1, true);
    rig.receive(1, {trial, octets_of(pause_of(three, 1), station(1))});
    EXPECT_EQ(rig.drops(1, Drop::mac_control), 1U);
    EXPECT_EQ(rig.drops(1, Drop::pause_opcode), 2U) << "another pause is what it was";
    const auto heard = rig.dataplane.received(1).front();
    EXPECT_EQ(test::Octets(heard.begin(), heard.end()), trial);
    rig.dataplane.received(1).pop();
    rig.dataplane.want_trials(1, false);
    rig.receive(1, {trial});
    EXPECT_TRUE(rig.dataplane.received(1).front().empty());
}

TEST_P(SwitchPfc, GlobalPause) {
    Settings settings = lossless_settings();
    settings.ports[1].pfc.link_pause = true;
    Rig rig(settings);
    rig.receive(1, {test::hex("0180c2000001 020000000101 8808 0001 ffff")});
    rig.receive(0, "abc", to(1, 0));
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "");
    rig.now += 4_ms;  // 65535 quanta at 10G are 3.36
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "abc");
}

// The frame waits to the nanosecond.
TEST_P(SwitchPfc, PauseTimeIsKept) {
    for (const auto quanta : std::to_array<uint16_t>({10, 100, 1000, 10'000, 50'000})) {
        Rig rig(lossless_settings());
        rig.receive(1, {octets_of(pause_of(three, quanta))});
        const Nanos until = rig.now + pause_time(Quanta(quanta), 10_Gbps);
        rig.receive(0, "a", to(1));
        rig.now = until - 1_ns;
        rig.poll();
        EXPECT_EQ(rig.sent_now(1), "") << quanta;
        rig.now = until;
        rig.poll();
        EXPECT_EQ(rig.sent_now(1), "a") << quanta;
    }
}

// A frame is flooded to a lossless and a lossy output: the lossy output drops it if it has no room,
// the lossless one gets all frames, and only that one ever pauses the sender.
TEST_P(SwitchPfc, FloodAcrossLosslessAndLossyOutputs) {
    Settings settings = lossless_settings(3);
    settings.ports[2].pfc.lossless = 0;
    settings.ports[2].rate = 1_Gbps / 1000;
    settings.fdb.static_entries.clear();
    Rig rig(settings);
    std::string all;
    for (char name = 'a'; name <= 'z'; ++name) {
        const std::string burst(20, name);
        rig.receive(0, burst, {.to = test::broadcast, .tag = test::Tag{.vlan = 0, .pcp = 3}});
        all += burst;
        rig.poll();
        EXPECT_TRUE(rig.send_pause_frame(0).empty()) << name;
    }
    EXPECT_EQ(rig.sent(1), all);
    EXPECT_GT(rig.drops(0, Drop::over_threshold), 0U);
    EXPECT_EQ(rig.drops(0, Drop::headroom_overrun), 0U);
    rig.flush();
    EXPECT_TRUE(rig.at_rest());
}

// Paused because of a port that then goes away: the frames go, and so does the pause.
TEST_P(SwitchPfc, NoGroupWaitsForAPortThatIsDown) {
    Rig rig(lossless_settings());
    rig.receive(1, {octets_of(pause_of(three, 65535))});
    rig.receive(0, std::string(40, 'a'), to(1));
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.dataplane.set_link(1, false);
    rig.housekeep();
    EXPECT_EQ(rig.dataplane.ingress(0).pause_sender().pausing(), 0);
    EXPECT_FALSE(rig.send_pause_frame(0).empty());
}

// Ports 2 and 3 are held by their peers. A few frames of port 0 wait for port 3, and so many of
// port 1 for port 2 that the pool is gone.
void fill_the_pool(Rig& rig) {
    rig.receive(2, {octets_of(pause_of(three, 65535))});
    rig.receive(3, {octets_of(pause_of(three, 65535))});
    while (std::as_const(rig.dataplane).ingress(0).voq(3, 3).waiting() == 0) {
        rig.receive(0, std::string(8, 'a'), to(3));
        rig.poll();  // until nothing more crosses
    }
    while (rig.dataplane.ingress(1).pause_sender().pausing() == 0) {
        rig.receive(1, std::string(8, 'x'), to(2, 3, 1));
        rig.poll();
    }
}

// Another group had the pool when the last frame of this one left; once it is back the pause ends.
TEST_P(SwitchPfc, ResumesWhenThePoolComesBack) {
    Settings settings = lossless_settings(4);
    settings.ports[1].pfc.xoff = 1_MiB;
    Rig rig(settings);
    fill_the_pool(rig);
    ASSERT_LE(rig.dataplane.pool().shards()[0].free(), 0_B);
    rig.receive(0, "b", to(1));
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.poll();
    EXPECT_EQ(rig.sent_now(1), "b");
    EXPECT_TRUE(
        rig.send_pause_frame(0).empty());  // what is left is below XON, but there is no pool
    rig.receive(2, {octets_of(pause_of(three, 0))});
    for (int poll = 0; poll < 100; ++poll) rig.poll();
    const auto xon = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xon);
    EXPECT_EQ(xon->time[3], 0);
}

// The pool is another worker's to empty; one that has paused all its peers receives nothing.
TEST_P(SwitchPfc, ResumesWhenAnotherWorkerGivesThePoolBack) {
    Settings settings = lossless_settings(4);
    settings.workers = 2;
    for (PortIndex port = 0; port < 4; ++port) settings.ports[port].worker = port == 1 ? 1 : 0;
    settings.ports[1].pfc.xoff = 1_MiB;
    Rig rig(settings);
    fill_the_pool(rig);
    rig.receive(0, "b", to(1));
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.receive(2, {octets_of(pause_of(three, 0))});
    for (int poll = 0; poll < 200; ++poll) rig.poll();
    const auto xon = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xon);
    EXPECT_EQ(xon->time[3], 0);
}

// --- pausing by the depth of an output -----------------------------------------------------------

TEST_P(SwitchPfc, ByTheDepthOfAnOutputWhoFeedsItIsPaused) {
    Settings settings = lossless_settings(4);
    for (PortSettings& port : settings.ports) port.pfc.trigger = PauseTrigger::egress;
    Rig rig(settings);
    rig.receive(3, {octets_of(pause_of(three, 65535))});
    rig.receive(0, std::string(20, 'a'), to(3));
    EXPECT_TRUE(rig.send_pause_frame(3).empty());
    EXPECT_TRUE(rig.send_pause_frame(0).empty());
    rig.receive(1, std::string(12, 'b'), to(3, 3, 1));  // 32 in all
    rig.receive(2, "c", to(0, 3, 2));
    rig.send_pause_frame(3);  // evaluates the congestion of its queues
    EXPECT_FALSE(rig.send_pause_frame(0).empty());
    EXPECT_FALSE(rig.send_pause_frame(1).empty());
    EXPECT_TRUE(rig.send_pause_frame(2).empty());
    rig.receive(3, {octets_of(pause_of(three, 0))});
    rig.run();
    rig.send_pause_frame(3);
    EXPECT_EQ(pause_in(rig.send_pause_frame(0))->time[3], 0);
    EXPECT_EQ(pause_in(rig.send_pause_frame(1))->time[3], 0);
    EXPECT_TRUE(rig.at_rest());
}

// With an alpha of a half, 11 of 32 cells are more than half of the free cells; XOFF would be 32.
TEST_P(SwitchPfc, ByTheDepthOfAnOutputXoffFollowsTheFreePool) {
    Settings settings = lossless_settings(3);
    settings.buffer.size = 8_KiB + (8_KiB + 1536_B) * 3;  // three headrooms, and a frame each
    for (PortSettings& port : settings.ports) {
        port.pfc.trigger = PauseTrigger::egress;
        port.pfc.alpha_128 = 64;
    }
    Rig rig(settings);
    std::string log;
    for (int frame = 0; frame < 14; ++frame) {
        rig.receive(0, "a", to(2));
        rig.send_pause_frame(2);  // evaluates the congestion of its queues
        log += rig.send_pause_frame(0).empty() ? '.' : 'x';
    }
    EXPECT_EQ(log, "..........x...");
    rig.run();
    rig.send_pause_frame(2);
    EXPECT_EQ(pause_in(rig.send_pause_frame(0))->time[3], 0);
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

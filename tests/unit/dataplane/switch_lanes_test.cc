// A port of two lanes, in the whole switch: whatever lane a frame came by, it came by the port.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

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

constexpr PortIndex lane = 3;  // of port 0, beside itself

// Three ports of worker 0, and a lane of the first that worker 1 has.
Settings with_lane() {
    Settings settings = lossless_settings(3);
    settings.workers = 2;
    settings.lanes = {{.port = 0, .worker = 1}};
    return settings;
}

// Counted by ports; counts of lanes belong to their port.
uint64_t received(const Rig& rig, PortIndex port) {
    return rig.dataplane.sum_of_lanes(
        port, [&](InputIndex input) { return rig.dataplane.counters(input).rx_frames.value(); });
}

TEST(SwitchLanes, AreInputsOfTheirPort) {
    Rig rig(with_lane());
    EXPECT_EQ(rig.dataplane.port_count(), 3U);
    EXPECT_EQ(rig.dataplane.input_count(), 4U);
    EXPECT_EQ(rig.dataplane.lanes_of(0), only(0) | only(lane));
    EXPECT_EQ(rig.dataplane.lanes_of(1), only(1));
    EXPECT_EQ(rig.dataplane.port_of(lane), 0);
    EXPECT_EQ(rig.dataplane.worker_of(lane), 1);
    rig.receive(0, "abc", to(1));
    rig.receive(lane, "de", to(2));
    rig.run();
    EXPECT_EQ(rig.sent(1), "abc");
    EXPECT_EQ(rig.sent(2), "de");
    EXPECT_EQ(rig.departures(2)[0].input, 0);
    EXPECT_EQ(received(rig, 0), 5U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLanes, ForwardAsTheirPortDoes) {
    Settings settings = with_lane();
    settings.fdb.static_entries.clear();
    Rig rig(settings);
    rig.receive(lane, "a", {.to = test::broadcast, .from = station(0)});
    rig.run();
    EXPECT_EQ(rig.sent(0), "");
    EXPECT_EQ(rig.sent(1) + rig.sent(2), "aa");
    rig.receive(1, "b", {.to = station(0), .from = station(1)});  // learned at the port
    rig.run();
    EXPECT_EQ(rig.sent(0), "b");
    EXPECT_EQ(rig.sent(2), "a");
    rig.receive(lane, "c", {.to = station(0), .from = station(7)});
    EXPECT_EQ(rig.drops(lane, Drop::same_port), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLanes, PauseThePeerByWhatTheyHoldTogether) {
    Rig rig(test::without_bypass(with_lane()));  // a frame that bypasses is charged to no lane
    rig.receive(0, std::string(16, 'a'), to(1));
    rig.receive(lane, std::string(15, 'b'), to(1));
    EXPECT_TRUE(rig.send_pause_frame(0).empty());
    rig.receive(lane, "b", to(1));
    const auto xoff = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xoff);
    EXPECT_EQ(xoff->time[3], 1000);
    EXPECT_EQ(rig.dataplane.ingress(0).pause_sender().xoff_sent(3), 1U);
    EXPECT_TRUE(rig.send_pause_frame(0).empty());  // once
    rig.run();
    rig.housekeep();
    const auto xon = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xon);
    EXPECT_EQ(xon->time[3], 0);
    EXPECT_EQ(rig.sent(1).size(), 32U);
    EXPECT_TRUE(rig.at_rest());
}

// However late the port's worker is, its lanes receive nothing before it has paused the peer.
TEST(SwitchLanes, WaitUntilTheirPortHasPausedThePeer) {
    Rig rig(with_lane());
    const Ingress& further = rig.dataplane.ingress(lane);
    rig.receive(0, std::string(31, 'a'), to(1));
    EXPECT_FALSE(further.waits_for_port());
    rig.receive(lane, "b", to(1));
    EXPECT_TRUE(further.waits_for_port());
    EXPECT_FALSE(rig.dataplane.ingress(0).waits_for_port());
    rig.send_pause_frame(0);
    EXPECT_FALSE(further.waits_for_port());
    rig.run();
    rig.housekeep();
    EXPECT_FALSE(further.waits_for_port());  // an XON may be late
}

TEST(SwitchLanes, LoseOnlyWhatTheHeadroomOfThePortDoesNotTake) {
    Rig rig(with_lane());
    rig.receive(0, std::string(32, 'a'), to(1));
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.receive(lane, std::string(20, 'b'), to(1));
    rig.receive(0, std::string(12, 'a'), to(1));
    EXPECT_EQ(rig.drops(0, Drop::headroom_overrun) + rig.drops(lane, Drop::headroom_overrun), 0U);
    rig.receive(lane, "b", to(1));
    EXPECT_EQ(rig.drops(lane, Drop::headroom_overrun), 1U);
    rig.run();
    EXPECT_EQ(rig.sent(1).size(), 64U);
    EXPECT_TRUE(rig.at_rest());
}

// A pending pause is sent by the port's worker, though a lane of another worker requested it.
TEST(SwitchLanes, SendTheirPeerAnXonAtTheEnd) {
    Rig rig(with_lane());
    rig.receive(lane, std::string(32, 'a'), to(1));
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.dataplane.shard(0).release_peers();
    EXPECT_TRUE(rig.dataplane.shard(0).has_pending_peer_frames());
    EXPECT_FALSE(rig.dataplane.shard(1).has_pending_peer_frames());
    rig.send_pause_frame(0);  // pauses still: the lane still requests it
    rig.dataplane.shard(1).release_peers();
    EXPECT_TRUE(rig.dataplane.shard(0).has_pending_peer_frames());
    const auto xon = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xon);
    EXPECT_EQ(xon->time[3], 0);
    EXPECT_FALSE(rig.dataplane.shard(0).has_pending_peer_frames());
}

TEST(SwitchLanes, ReceivePausesForTheirPort) {
    Rig rig(with_lane());
    rig.receive(lane, {octets_of(pause_of(three, 65535))});
    EXPECT_EQ(rig.drops(lane, Drop::mac_control), 1U);
    rig.receive(1, "abc", to(0, 3, 1));
    rig.run(10);
    EXPECT_EQ(rig.sent(0), "");
    EXPECT_EQ(rig.dataplane.egress(0).gate().xoffs_received(3), 1U);
    rig.receive(lane, {octets_of(pause_of(three, 0))});
    rig.run(10);
    EXPECT_EQ(rig.sent(0), "abc");
    EXPECT_TRUE(rig.at_rest());
}

// A mailbox is full of frames for the port's worker.
TEST(SwitchLanes, CountWhatTheirPortIsTooSlowToTake) {
    Rig rig(with_lane());
    for (uint32_t n = 0; n < Mailbox::slots; ++n) {
        rig.receive(lane, {octets_of(pause_of(three, 0))});
    }
    rig.receive(lane, {octets_of(pause_of(three, 0))});
    EXPECT_EQ(rig.drops(lane, Drop::mac_control), Mailbox::slots);
    EXPECT_EQ(rig.drops(lane, Drop::pause_limit), 1U);
    rig.poll();
    rig.receive(lane, {octets_of(pause_of(three, 0))});
    EXPECT_EQ(rig.drops(lane, Drop::mac_control), Mailbox::slots + 1);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLanes, ReceiveAPauseBehindAnyAmountOfLldp) {
    Rig rig(with_lane());
    const auto lldp = octets_of(test::FrameSpec{.to = lldp_address, .ether_type = 0x88CC});
    for (uint32_t n = 0; n < Mailbox::slots + 1; ++n) rig.receive(lane, {lldp});
    EXPECT_EQ(rig.drops(lane, Drop::lldp_limit), 1U);
    rig.receive(lane, {octets_of(pause_of(three, 65535))});
    EXPECT_EQ(rig.drops(lane, Drop::mac_control), 1U);
    rig.receive(1, "abc", to(0, 3, 1));
    rig.run(10);
    EXPECT_EQ(rig.sent(0), "");
}

TEST(SwitchLanes, RefuseAPauseThatThePortWould) {
    Settings settings = with_lane();
    settings.ports[0].pfc.peers.name(station(5));
    Rig rig(settings);
    rig.receive(lane, {octets_of(pause_of(three, 65535))});
    EXPECT_EQ(rig.drops(lane, Drop::pause_source), 1U);
}

TEST(SwitchLanes, ReceiveLldpForTheirPort) {
    Rig rig(with_lane());
    const auto frame = octets_of(test::FrameSpec{.to = lldp_address, .ether_type = 0x88CC});
    rig.receive(lane, {frame});
    EXPECT_EQ(rig.drops(lane, Drop::lldp), 1U);
    rig.poll();
    const auto heard = rig.dataplane.received(0).front();
    EXPECT_EQ(test::Octets(heard.begin(), heard.end()), frame);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLanes, ArePausedByACongestedOutput) {
    Settings settings = with_lane();
    for (PortSettings& port : settings.ports) port.pfc.trigger = PauseTrigger::egress;
    Rig rig(settings);
    rig.receive(lane, std::string(40, 'a'), to(1));
    rig.send_pause_frame(1);  // evaluates the congestion of its queues
    rig.housekeep();
    ASSERT_FALSE(rig.send_pause_frame(0).empty());
    rig.run();
    rig.send_pause_frame(1);
    rig.housekeep();
    const auto xon = pause_in(rig.send_pause_frame(0));
    ASSERT_TRUE(xon);
    EXPECT_EQ(xon->time[3], 0);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLanes, AreMirroredWithTheirPort) {
    Settings settings = with_lane();
    settings.mirrors = {{.from = only(0), .direction = MirrorDirection::ingress, .to = 2}};
    Rig rig(settings);
    rig.receive(lane, "a", to(1));
    rig.run();
    EXPECT_EQ(rig.sent(1) + rig.sent(2), "aa");
    EXPECT_EQ(rig.dataplane.counters(lane).copied.value(), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLanes, FlushWhatWaitsForAPortThatGoesDown) {
    Rig rig(with_lane());
    rig.receive(lane, std::string(20, 'a'), to(1));
    rig.dataplane.set_link(1, false);
    rig.run();
    EXPECT_EQ(rig.drops(lane, Drop::egress_down) +
                  rig.dataplane.counters(1).egress_drops.of(Drop::egress_down),
              20U);
    EXPECT_TRUE(rig.at_rest());
}

// SERENA reads how much waits in the VOQs of lanes as well.
TEST(SwitchLanes, AreMatchedByWeight) {
    Settings settings = with_lane();
    settings.fabric.algorithm = MatchingAlgorithm::serena;
    for (PortSettings& port : settings.ports) port.pfc.lossless = 0;
    Rig rig(settings);
    for (int burst = 0; burst < 20; ++burst) {
        rig.receive(0, "aa", to(1, 0));
        rig.receive(lane, "bbb", to(1, 0));
        rig.receive(lane, "cc", to(2, 0));
        rig.poll(1);
    }
    rig.run();
    EXPECT_EQ(std::ranges::count(rig.sent(1), 'b'), 60);
    EXPECT_EQ(rig.sent(2), std::string(40, 'c'));
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLanes, CountForTheMembersOfAnAggregation) {
    Settings settings = with_lane();
    settings.fdb.static_entries.clear();
    settings.aggregations = {{.members = only(0) | only(1)}};
    Rig rig(settings);
    rig.receive(lane, "a", {.to = test::broadcast, .from = station(0)});
    rig.run();
    EXPECT_EQ(rig.sent(0) + rig.sent(1), "");
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

// Ports that control keeps data from, by LACP, the loop guard or the spanning tree, and members
// that come to an aggregation. What such a port takes nevertheless: port_guard_test.cc.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::Octets;
using test::octets_of;
using test::Rig;
using test::settings_of;
using test::station;

constexpr test::FrameSpec lacpdu{.to = slow_protocols_address,
                                 .ether_type = slow_protocols_ether_type};

std::size_t taken(Rig& rig, PortIndex port, ControlProtocol protocol) {
    std::size_t frames = 0;
    Mailbox& box = rig.dataplane.received(port, protocol);
    for (; !box.front().empty(); ++frames) box.pop();
    return frames;
}

Settings with_lacp() {
    Settings settings = settings_of(2);
    settings.ports[0].lacp = true;
    return settings;
}

// --- LACP ---

TEST(SwitchClosed, LacpIsForControlWhereAPortHasIt) {
    Rig rig(with_lacp());
    rig.receive(0, "a", lacpdu);
    rig.receive(1, "b", lacpdu);
    EXPECT_EQ(taken(rig, 0, ControlProtocol::lacp), 1U);
    EXPECT_EQ(taken(rig, 1, ControlProtocol::lacp), 0U);
    EXPECT_EQ(rig.drops(0, Drop::lacp), 1U);
    EXPECT_EQ(rig.drops(1, Drop::reserved_address), 1U);
    test::FrameSpec tagged = lacpdu;
    tagged.tag = test::Tag{.vlan = 0, .pcp = 7};
    rig.receive(0, "c", tagged);
    EXPECT_EQ(rig.drops(0, Drop::reserved_address), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchClosed, AFloodOfLacpLeavesLldpItsRoom) {
    Rig rig(with_lacp());
    rig.receive(0, std::string(60, 'a'), lacpdu);
    EXPECT_EQ(rig.drops(0, Drop::lacp), ControlMail::burst);
    EXPECT_EQ(rig.drops(0, Drop::lacp_limit), 60 - ControlMail::burst);
    rig.receive(0, "b", {.to = lldp_address, .ether_type = 0x88CC});
    EXPECT_EQ(taken(rig, 0, ControlProtocol::lldp), 1U);
}

TEST(SwitchClosed, ADetachedPortIsSentControlAlone) {
    Rig rig(with_lacp());
    rig.receive(1, "a", {.to = station(0), .from = station(1)});
    rig.dataplane.set_lacp_detached(0, only(0));
    rig.receive(1, "b", {.to = station(0), .from = station(1)});
    EXPECT_EQ(rig.drops(1, Drop::no_output), 1U);
    rig.poll();
    EXPECT_EQ(rig.sent(0), "");
    EXPECT_EQ(rig.drops(1, Drop::lacp_detached) +
                  rig.dataplane.counters(0).egress_drops.of(Drop::lacp_detached),
              1U);
    EXPECT_TRUE(rig.dataplane.send_for_control(0, Octets(60)));
    rig.dataplane.shard(0).take_control_due();
    EXPECT_FALSE(rig.dataplane.shard(0).control_frame(0).empty());
    rig.dataplane.shard(0).control_frame_sent(0);
    rig.receive(0, "c", {.to = station(1)});  // it may still take
    rig.run();
    EXPECT_EQ(rig.sent(1), "c");
    EXPECT_TRUE(rig.at_rest());
}

// --- members ---

// Ports 1 and 2 are aggregated; a frame to station 9 goes to the one that its source chooses.
Settings with_pair(bool bypass) {
    Settings settings = settings_of(3);
    settings.fabric.bypass = bypass;
    settings.fdb.static_entries = {{.vlan = 1, .address = station(9), .port = 1}};
    settings.aggregations = {{.members = 0b110, .hash = DistributionHash::l2}};
    return settings;
}

class Members : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(SwitchClosed, Members, testing::Bool());

// A source whose frames go to port 2 as long as that is there.
MacAddress source_of_2(bool bypass) {
    for (unsigned host = 100;; ++host) {
        Rig rig(with_pair(bypass));
        rig.receive(0, "x", {.to = station(9), .from = station(host)});
        rig.run();
        if (rig.sent(2) == "x") return station(host);
    }
}

TEST_P(Members, AFlowThatComesToOneWaitsForWhatTheOtherHolds) {
    Rig rig(with_pair(GetParam()));
    const test::FrameSpec flow{.to = station(9), .from = source_of_2(GetParam())};
    rig.dataplane.set_lacp_detached(only(2), only(2));
    rig.housekeep();
    rig.receive(0, "abcd", flow);
    rig.slot();
    EXPECT_EQ(rig.transmit(1, 1), 1U) << "the device of port 1 is slow";
    rig.dataplane.set_lacp_detached(0, 0);
    rig.receive(0, "ef", flow);
    rig.slot();
    EXPECT_EQ(rig.transmit(2), 0U);
    rig.housekeep();
    EXPECT_EQ(rig.transmit(1, 2), 2U);
    rig.now += 2_ms;
    EXPECT_EQ(rig.transmit(2), 0U) << "one still waits at port 1";
    EXPECT_EQ(rig.transmit(1), 1U);
    EXPECT_EQ(rig.transmit(2), 0U) << "what a device holds takes a while";
    rig.now += DistributionHold::drain_time;
    EXPECT_EQ(rig.transmit(2), 2U);
    EXPECT_EQ(rig.sent(1), "abcd");
    EXPECT_EQ(rig.sent(2), "ef");
    rig.receive(0, "g", flow);
    rig.slot();
    EXPECT_EQ(rig.transmit(2), 1U) << "it has come in";
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(Members, NoneWaitsForOneThatStaysBusy) {
    Rig rig(with_pair(GetParam()));
    const test::FrameSpec flow{.to = station(9), .from = source_of_2(GetParam())};
    rig.dataplane.set_lacp_detached(only(2), only(2));
    rig.housekeep();
    rig.receive(0, "ab", flow);
    rig.slot();
    rig.dataplane.set_lacp_detached(0, 0);
    rig.receive(0, "c", flow);
    rig.slot();
    rig.housekeep();
    rig.now += DistributionHold::longest - 1_ns;
    EXPECT_EQ(rig.transmit(2), 0U);
    rig.now += 1_ns;
    EXPECT_EQ(rig.transmit(2), 1U);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(Members, ThatComeTogetherWaitForNobody) {
    Rig rig(with_pair(GetParam()));
    rig.dataplane.set_lacp_detached(0b110, 0b110);
    rig.housekeep();
    rig.dataplane.set_lacp_detached(0, 0);
    rig.receive(0, "a", {.to = station(9), .from = source_of_2(GetParam())});
    rig.slot();
    EXPECT_EQ(rig.transmit(2), 1U);
    EXPECT_TRUE(rig.at_rest());
}

// Ports 1 and 2 become 1, 2 and 3: the last part of the flows goes from port 2 to port 3.
TEST(SwitchClosed, AMemberThatIsAddedWaitsForWhatItsFlowsLeftBehind) {
    Settings two = settings_of(4);
    two.fdb.static_entries = {{.vlan = 1, .address = station(9), .port = 1}};
    two.aggregations = {{.members = 0b0110, .hash = DistributionHash::l2}};
    Settings three = two;
    three.aggregations[0].members = 0b1110;
    const auto sender_of = [](const Settings& settings, MacAddress source) {
        Rig rig(settings);
        rig.receive(0, "x", {.to = station(9), .from = source});
        rig.run();
        return rig.sent(1) == "x" ? 1 : rig.sent(2) == "x" ? 2 : 3;
    };
    unsigned host = 100;
    while (sender_of(two, station(host)) != 2 || sender_of(three, station(host)) != 3) ++host;
    const test::FrameSpec flow{.to = station(9), .from = station(host)};
    Rig rig(two);
    rig.run();
    rig.housekeep();
    rig.receive(0, "ab", flow);
    rig.slot();
    rig.adopt(three);
    rig.receive(0, "c", flow);
    rig.slot();
    EXPECT_EQ(rig.transmit(3), 0U) << "two still wait at port 2";
    EXPECT_EQ(rig.transmit(2), 0U) << "a part of port 1's flows comes there";
    rig.now += DistributionHold::drain_time;
    EXPECT_EQ(rig.transmit(2), 2U);
    EXPECT_EQ(rig.transmit(3), 0U) << "what a device holds takes a while";
    rig.now += DistributionHold::drain_time;
    EXPECT_EQ(rig.transmit(3), 1U);
    EXPECT_EQ(rig.sent(3), "c");
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(Members, OneThatIsDetachedGivesItsFlowsToTheOther) {
    Rig rig(with_pair(GetParam()));
    const test::FrameSpec flow{.to = station(9), .from = source_of_2(GetParam())};
    rig.receive(0, "ab", flow);
    rig.slot();
    rig.dataplane.set_lacp_detached(only(2), only(2));
    rig.receive(0, "cd", flow);
    rig.run();
    EXPECT_EQ(rig.sent(2), "") << "what it held would be out of order";
    EXPECT_EQ(rig.sent(1), "cd");
    EXPECT_TRUE(rig.at_rest());
}

// --- the loop guard ---

TEST(SwitchClosed, AShutPortIsSentControlAlone) {
    Rig rig(settings_of(2));
    rig.dataplane.set_loop_shut(only(0));
    rig.receive(1, "a", {.to = station(0), .from = station(1)});
    EXPECT_EQ(rig.drops(1, Drop::no_output), 1U);
    EXPECT_TRUE(rig.dataplane.send_for_control(0, Octets(60)));
    rig.dataplane.set_loop_shut(0);
    rig.receive(1, "b", {.to = station(0), .from = station(1)});
    rig.run();
    EXPECT_EQ(rig.sent(0), "b");
    EXPECT_TRUE(rig.at_rest());
}

// --- the spanning tree ---

TEST(SwitchClosed, ADiscardingPortIsSentControlAlone) {
    Rig rig(settings_of(3));
    rig.dataplane.set_spanning_tree(only(0), 0);
    rig.receive(1, "a", {.to = test::broadcast, .from = station(1)});
    EXPECT_TRUE(rig.dataplane.send_for_control(0, Octets(60)));
    rig.run();
    EXPECT_EQ(rig.sent(0), "") << "control is not data";
    EXPECT_EQ(rig.sent(2), "a");
    rig.dataplane.set_spanning_tree(0, 0);
    rig.receive(1, "b", {.to = test::broadcast, .from = station(1)});
    rig.run();
    EXPECT_EQ(rig.sent(0), "b");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchClosed, WhatWaitsForAPortThatDiscardsIsDropped) {
    Rig rig(settings_of(2));
    rig.receive(0, "abc", {.to = station(1)});
    rig.dataplane.set_spanning_tree(only(1), 0);
    rig.run();
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.drops(0, Drop::stp_discarding) +
                  rig.dataplane.counters(1).egress_drops.of(Drop::stp_discarding),
              3U);
    EXPECT_TRUE(rig.at_rest());
}

// In the state Discarding no address is learned, in Learning addresses are, whichever worker sees
// them; addresses learned at a port that discards again are forgotten.
TEST(SwitchClosed, ALearningPortLearnsFromWhatItDrops) {
    for (const WorkerIndex workers : {WorkerIndex{1}, WorkerIndex{2}}) {
        Rig rig(settings_of(4, workers));
        const PortIndex port = 3;  // of the last worker
        const test::FrameSpec to_it{.to = station(9), .from = station(0)};
        const test::FrameSpec from_it{.to = test::broadcast, .from = station(9)};
        rig.poll();
        const std::size_t known = rig.dataplane.fdb().size();
        rig.dataplane.set_spanning_tree(only(port), 0);
        rig.receive(port, "a", from_it);
        rig.poll();
        EXPECT_EQ(rig.dataplane.fdb().size(), known) << int{workers};
        rig.dataplane.set_spanning_tree(only(port), only(port));
        rig.receive(port, "bc", from_it);
        rig.poll();
        EXPECT_EQ(rig.drops(port, Drop::stp_discarding), 3U) << int{workers};
        EXPECT_EQ(rig.sent(0) + rig.sent(1), "") << int{workers};
        rig.receive(0, "d", to_it);
        EXPECT_EQ(rig.drops(0, Drop::no_output), 1U) << int{workers} << ": known, and closed";
        rig.dataplane.set_spanning_tree(0, 0);
        rig.receive(0, "e", to_it);
        rig.run();
        EXPECT_EQ(rig.sent(port), "e") << int{workers};
        EXPECT_EQ(rig.sent(1), "") << int{workers} << ": what was learned stayed";
        rig.dataplane.set_spanning_tree(only(port), 0);
        rig.poll();
        rig.receive(0, "f", to_it);
        rig.run();
        EXPECT_EQ(rig.sent(1), "f") << int{workers} << ": it is somewhere else by now";
        EXPECT_TRUE(rig.at_rest()) << int{workers};
    }
}

TEST(SwitchClosed, OnlyWhatElseKeepsAPortFromDataIsNoCarrier) {
    Rig rig(settings_of(5));
    rig.dataplane.set_link(4, false);
    rig.dataplane.set_lacp_detached(only(0), only(1));
    rig.dataplane.set_loop_shut(only(2));
    rig.dataplane.set_spanning_tree(only(3), 0);
    EXPECT_EQ(rig.dataplane.carriers(), only(3));
    EXPECT_EQ(rig.dataplane.outputs() & ~only(0), 0U);
}

// --- BPDUs ---

TEST(SwitchClosed, BpdusAreForControlWhereAPortIsInTheTree) {
    Settings settings = settings_of(2);
    settings.ports[0].spanning_tree = true;
    Rig rig(settings);
    const test::FrameSpec bpdu{.to = bridge_group_address, .ether_type = 39};
    rig.receive(0, "a", bpdu);
    rig.receive(1, "b", bpdu);
    EXPECT_EQ(taken(rig, 0, ControlProtocol::bpdu), 1U);
    EXPECT_EQ(taken(rig, 1, ControlProtocol::bpdu), 0U);
    EXPECT_EQ(rig.drops(0, Drop::bpdu), 1U);
    EXPECT_EQ(rig.drops(1, Drop::reserved_address), 1U);
    test::FrameSpec other = bpdu;
    other.tag = test::Tag{.vlan = 0, .pcp = 7};
    rig.receive(0, "c", other);
    rig.receive(0, "d", {.to = bridge_group_address, .ether_type = 0x0800});
    EXPECT_EQ(rig.drops(0, Drop::reserved_address), 2U) << "with a tag, and behind an EtherType";
    rig.receive(0, std::string(60, 'e'), bpdu);
    EXPECT_GT(rig.drops(0, Drop::bpdu_limit), 0U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchClosed, BpdusGoOnWhereTheyAreTo) {
    const Octets bpdu =
        octets_of(test::FrameSpec{.to = bridge_group_address, .ether_type = 0x0026});
    Settings settings = settings_of(3);
    Rig rig(settings);
    rig.receive(0, {bpdu}, "a");
    EXPECT_EQ(rig.drops(0, Drop::reserved_address), 1U);
    for (PortSettings& port : settings.ports) port.forwards_bpdus = true;
    rig.adopt(settings);
    rig.receive(0, {bpdu, octets_of(test::FrameSpec{.to = {bridge_group_address.bits + 3}})}, "bc");
    rig.run();
    EXPECT_EQ(rig.sent(1), "b");
    EXPECT_EQ(rig.sent(2), "b");
    EXPECT_EQ(rig.drops(0, Drop::reserved_address), 2U) << "no other reserved address does";
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

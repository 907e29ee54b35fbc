// The slow path, in its order: what one step refuses takes nothing of those behind it.
#include "dataplane/ingress_pipeline/slow_path.h"

#include <gtest/gtest.h>

#include "tests/support/membership_octets.h"
#include "tests/support/rig.h"
#include "tests/support/snooping.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::group_a;
using test::listening;
using test::report;
using test::Rig;
using test::settings_of;
using test::station;

constexpr PrioritySet four = only_priority(4);
constexpr test::Tag of_four{.pcp = 4};

// --- DCBX's defence ---

TEST(SlowPath, ADefendedPriorityIsKeptOutWhereItComesIn) {
    Settings settings = settings_of(2);
    settings.ports[0].dcbx_defence = four;
    Rig rig(settings);
    rig.receive(0, "ab", {.to = station(1), .tag = of_four});
    rig.receive(0, "cd", {.to = station(1), .tag = test::Tag{.pcp = 3}});
    rig.receive(1, "e", {.to = station(0), .from = station(1), .tag = of_four});
    rig.run();
    EXPECT_EQ(rig.sent(1), "cd");
    EXPECT_EQ(rig.sent(0), "e");
    EXPECT_EQ(rig.drops(0, Drop::dcbx_defence), 2U);
    EXPECT_TRUE(rig.at_rest());
}

// Spanning tree goes on between bridges that do not agree on PFC.
TEST(SlowPath, ABpduWithoutATagPassesTheDefence) {
    Settings settings = settings_of(2);
    settings.ports[0].dcbx_defence = four;
    settings.ports[0].classify.default_priority = 4;
    settings.ports[0].forwards_bpdus = true;
    Rig rig(settings);
    rig.receive(0, "a", {.to = bridge_group_address});
    rig.receive(0, "b", {.to = bridge_group_address, .tag = of_four});
    rig.receive(0, "c", {.to = broadcast});
    rig.run();
    EXPECT_EQ(rig.sent(1), "a");
    EXPECT_EQ(rig.drops(0, Drop::dcbx_defence), 2U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SlowPath, WhatTheDefenceRefusesTakesNoTokenOfStormControl) {
    Settings settings = settings_of(2);
    settings.ports[0].dcbx_defence = four;
    settings.ports[0].storm_control = {.in_frames = true, .rate = {1, 0, 0}};
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast, .tag = of_four});
    rig.receive(0, "bc", {.to = broadcast});
    rig.run();
    EXPECT_EQ(rig.sent(1), "b");
    EXPECT_EQ(rig.drops(0, Drop::dcbx_defence), 1U);
    EXPECT_EQ(rig.drops(0, Drop::storm_broadcast), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SlowPath, WhatTheDefenceRefusesReportsNothing) {
    Settings settings = listening(4);
    settings.ports[2].dcbx_defence = four;
    Rig rig(settings);
    rig.receive(2, {report(2, of_four)});
    EXPECT_EQ(rig.drops(2, Drop::dcbx_defence), 1U);
    rig.receive(0, "a", {.to = test::mac_of(group_a)});
    rig.run();
    EXPECT_EQ(rig.sent(3), "a") << "nobody is known to listen";
    EXPECT_TRUE(rig.at_rest());
}

// --- policing ---

// A flood that is no flood does not count as a storm.
TEST(SlowPath, WhatIsNotFloodedTakesNothingOfTheStormControl) {
    Settings settings = settings_of(2);
    settings.vlan.unflooded[1] = true;
    settings.ports[0].storm_control = {.in_frames = true, .rate = {0, 100, 0}};
    Rig rig(settings);
    rig.receive(0, "ab", {.to = station(7), .from = station(0)});
    rig.receive(0, "c", {.to = station(7), .from = station(0), .tag = test::Tag{.vlan = 2}});
    EXPECT_EQ(rig.drops(0, Drop::unknown_unicast), 2U);
    rig.run();
    EXPECT_EQ(rig.sent(1), "c");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SlowPath, AReportThatIsOneTooManyIsDroppedAsThat) {
    Settings settings = listening(3);
    settings.ports[2].storm_control.in_frames = true;
    settings.ports[2].storm_control.rate[static_cast<std::size_t>(StormControlKind::multicast)] = 1;
    Rig rig(settings);
    rig.receive(2, {report(2), report(2)}, "rs");
    EXPECT_EQ(rig.drops(2, Drop::no_listener), 1U);
    EXPECT_EQ(rig.drops(2, Drop::storm_multicast), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SlowPath, WhatIsOneTooManyReportsNothing) {
    Settings settings = listening(4);
    settings.ports[2].storm_control = {.in_frames = true, .rate = {0, 0, 1}};
    Rig rig(settings);
    rig.receive(2, "a", {.to = test::mac_of(group_a + 1), .from = station(2)});
    rig.receive(2, {report(2)});
    EXPECT_EQ(rig.drops(2, Drop::storm_multicast), 1U);
    rig.receive(0, "b", {.to = test::mac_of(group_a)});
    rig.run();
    EXPECT_EQ(rig.sent(3), "ab");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SlowPath, WhatIsTooLongForEachOutputTakesItsToken) {
    Settings settings = settings_of(2);
    settings.ports[0].storm_control = {.in_frames = true, .rate = {1, 0, 0}};
    settings.ports[1].max_frame = 300_B;
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast, .length = 301});
    rig.receive(0, "b", {.to = broadcast});
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 1U);
    EXPECT_EQ(rig.drops(0, Drop::storm_broadcast), 1U);
    EXPECT_TRUE(rig.at_rest());
}

// --- groups, then aggregation ---

// The other ports are still down, and the next report may be minutes away.
TEST(SlowPath, AReportCountsWhereItCanGoNowhere) {
    Rig rig(listening(3));
    rig.dataplane.set_link(0, false);
    rig.dataplane.set_link(1, false);
    rig.receive(2, {report(2)}, "r");
    EXPECT_EQ(rig.drops(2, Drop::no_output), 1U);
    rig.dataplane.set_link(0, true);
    rig.dataplane.set_link(1, true);
    rig.receive(0, "a", {.to = test::mac_of(group_a)});
    rig.run();
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_TRUE(rig.at_rest());
}

// A group names its bridge port, whichever member sends in its place.
TEST(SlowPath, AGroupGoesToAnAggregationByAnyOfItsMembers) {
    Settings settings = settings_of(4);
    settings.fdb.static_entries.clear();
    settings.aggregations = {{.members = 0b0110, .hash = DistributionHash::l2}};
    settings.multicast.groups = {
        {.vlan = 1, .address = test::mac_of(group_a), .ports = only(1) | only(2)}};
    Rig rig(settings);
    for (unsigned host = 0; host < 40; ++host) {
        rig.receive(0, "x", {.to = test::mac_of(group_a), .from = station(100 + host)});
        rig.run();
    }
    EXPECT_GT(rig.sent(1).size(), 5U);
    EXPECT_EQ(rig.sent(1).size() + rig.sent(2).size(), 40U);
    EXPECT_EQ(rig.sent(3), "");
    EXPECT_TRUE(rig.at_rest());
}

// --- MTU ---

// Port 1 sends up to 1000 octets, port 2 up to 300, the others 1522.
Settings uneven() {
    Settings settings = settings_of(4);
    settings.ports[1].max_frame = 1000_B;
    settings.ports[2].max_frame = 300_B;
    return settings;
}

TEST(SlowPath, AFrameIsDroppedWhereItIsTooLong) {
    Rig rig(uneven());
    rig.receive(0, "a", {.to = station(2), .length = 300});
    rig.receive(0, "b", {.to = station(2), .length = 301});
    rig.receive(0, "c", {.to = station(3), .length = 1522});
    rig.run();
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_EQ(rig.sent(3), "c");
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SlowPath, OfAFloodOnlyTheCopiesThatAreTooLong) {
    Rig rig(uneven());
    rig.receive(0, "a", {.to = broadcast, .length = 300});
    rig.receive(0, "b", {.to = broadcast, .length = 1000});
    rig.receive(0, "c", {.to = broadcast, .length = 1001});
    rig.run();
    EXPECT_EQ(rig.sent(1), "ab");
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_EQ(rig.sent(3), "abc");
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 3U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SlowPath, OfAFloodThatIsTooLongForAllEachIsCounted) {
    Settings settings = uneven();
    settings.ports[3].max_frame = 500_B;
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast, .length = 1200});
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 3U);
    EXPECT_EQ(rig.dataplane.counters(0).copied.value(), 2U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SlowPath, TheTagThatItGetsCounts) {
    Settings settings = settings_of(3);
    settings.ports[0].default_vlan = settings.ports[1].default_vlan = 10;
    settings.vlan.filtering = true;
    settings.vlan.members[10] = 0b111;
    settings.vlan.untagged[10] = 0b011;
    for (PortSettings& port : settings.ports) port.tagging.aware = true;
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast, .length = 1518});
    rig.receive(0, "b", {.to = broadcast, .length = 1519});
    rig.receive(2, "c", {.to = broadcast, .tag = test::Tag{.vlan = 10}, .length = 1522});
    rig.run();
    EXPECT_EQ(rig.sent(1), "abc");
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 1U);
    EXPECT_EQ(rig.sent(0), "c");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SlowPath, AnAggregationDropsAtTheMemberThatWouldSend) {
    Settings settings = settings_of(3);
    settings.aggregations = {{.members = 0b110}};
    settings.ports[1].max_frame = settings.ports[2].max_frame = 300_B;
    Rig rig(settings);
    rig.receive(0, "a", {.to = broadcast, .length = 301});
    EXPECT_EQ(rig.drops(0, Drop::mtu_exceeded), 1U);
    EXPECT_TRUE(rig.at_rest());
}

// The length is checked when it is known which of the two members sends the frame.
TEST(SlowPath, OfAnAggregationEachMemberMeasuresItsOwnFlows) {
    for (const PortIndex shorter : {PortIndex{1}, PortIndex{2}}) {
        Settings settings = settings_of(3);
        settings.fdb.static_entries.clear();
        settings.aggregations = {{.members = 0b110, .hash = DistributionHash::l2}};
        settings.ports[shorter].max_frame = 300_B;
        Rig rig(settings);
        for (unsigned host = 0; host < 40; ++host) {
            rig.receive(0, "x", {.to = broadcast, .from = station(100 + host), .length = 301});
            rig.run();
        }
        const std::size_t sent = rig.sent(shorter == 1 ? 2 : 1).size();
        EXPECT_GT(sent, 5U);
        EXPECT_GT(rig.drops(0, Drop::mtu_exceeded), 5U);
        EXPECT_EQ(sent + rig.drops(0, Drop::mtu_exceeded), 40U);
        EXPECT_EQ(rig.sent(shorter), "");
        EXPECT_TRUE(rig.at_rest());
    }
}

TEST(SlowPath, BehindItAFrameIsOfTheMemberThatReceivedIt) {
    Settings settings = settings_of(3);
    settings.fdb.static_entries.clear();
    settings.aggregations = {{.members = 0b110}};
    Rig rig(settings);
    rig.receive(1, "a", {.to = broadcast});
    rig.receive(2, "b", {.to = broadcast});
    rig.run();
    ASSERT_EQ(rig.sent(0), "ab");
    EXPECT_EQ(rig.departures(0)[0].input, 1);
    EXPECT_EQ(rig.departures(0)[1].input, 2);
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

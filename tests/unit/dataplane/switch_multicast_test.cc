// Groups through the whole switch: who gets a copy, what is counted, and whose ledger balances.
#include <gtest/gtest.h>

#include <string>

#include "dataplane/switch.h"
#include "tests/support/membership_octets.h"
#include "tests/support/rig.h"
#include "tests/support/snooping.h"

namespace sluice {
namespace {

using namespace literals;
using test::group_a;
using test::listening;
using test::report;
using test::Rig;
using test::settings_of;
using test::station;

TEST(SwitchMulticast, WithoutGroupsEverybodyGetsThem) {
    Rig rig(settings_of(4));
    rig.receive(2, {report(2)}, "r");
    rig.run();
    rig.receive(0, "a", {.to = test::mac_of(group_a)});
    rig.run();
    EXPECT_EQ(rig.sent(1), "ra");
    EXPECT_EQ(rig.sent(3), "ra");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMulticast, OfAStaticGroupOnlyItsPorts) {
    Settings settings = settings_of(4);
    settings.multicast.groups = {
        {.vlan = 1, .address = test::mac_of(group_a), .ports = only(1) | only(3)}};
    Rig rig(settings);
    rig.receive(0, "a", {.to = test::mac_of(group_a)});
    rig.receive(1, "b", {.to = test::mac_of(group_a), .from = station(1)});
    EXPECT_EQ(rig.buffer(0).references, 2);
    EXPECT_EQ(rig.buffer(1).references, 1);
    rig.run();
    rig.receive(2, "c", {.to = test::mac_of(group_a + 1), .from = station(2)});
    rig.run();
    EXPECT_EQ(rig.sent(0), "c");
    EXPECT_EQ(rig.sent(1), "ac");
    EXPECT_EQ(rig.sent(2), "");
    EXPECT_EQ(rig.sent(3).size(), 3U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMulticast, ByIdsOf16BitsToo) {
    Settings settings = settings_of(4);
    settings.fdb.static_entries.clear();
    for (PortSettings& port : settings.ports) port.format = presets[3];
    settings.multicast.groups = {{.vlan = 1, .address = {uint64_t{1} << 40 | 7}, .ports = only(2)}};
    Rig rig(settings);
    rig.receive(0,
                {octets_of(test::ShortIdSpec{.to = 7, .key_word = 0x81}),
                 octets_of(test::ShortIdSpec{.to = 8, .key_word = 0x81})},
                "ab");
    rig.run();
    EXPECT_EQ(rig.sent(1), "b");
    EXPECT_EQ(rig.sent(2), "ab");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMulticast, WhoReportsGetsItUntilItIsSilent) {
    Rig rig(listening(4));
    rig.receive(2, {report(2)}, "r");
    EXPECT_EQ(rig.drops(2, Drop::no_listener), 1U);
    rig.receive(0, "a", {.to = test::mac_of(group_a)});
    rig.run();
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.sent(2), "a");
    rig.now += 261_s;
    for (int poll = 0; poll < 1000; ++poll) rig.housekeep();
    rig.receive(0, "b", {.to = test::mac_of(group_a)});
    rig.run();
    EXPECT_EQ(rig.sent(1), "b");
    EXPECT_EQ(rig.sent(2), "ab");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMulticast, ATagIsNoWayRound) {
    Rig rig(listening(4));
    rig.receive(2, {report(2, test::Tag{.vlan = 10})}, "r");
    rig.receive(0, "a", {.to = test::mac_of(group_a), .tag = test::Tag{.vlan = 10}});
    rig.receive(0, "b", {.to = test::mac_of(group_a)});
    rig.run();
    EXPECT_EQ(rig.sent(2), "ab");
    EXPECT_EQ(rig.sent(3), "b");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMulticast, TwoWorkersShareWhatTheySnoop) {
    Rig rig(listening(4, 2));
    rig.receive(3, {report(3)}, "r");  // by worker 1
    rig.housekeep();
    rig.receive(0, "a", {.to = test::mac_of(group_a)});
    rig.run();
    rig.receive(1, "b", {.to = test::mac_of(group_a), .from = station(1)});
    rig.run();
    EXPECT_EQ(rig.sent(2), "");
    EXPECT_EQ(rig.sent(3), "ab");
    EXPECT_TRUE(rig.at_rest());
}

// Ports 2 and 3 are one: each frame leaves by one of them, whichever of them reported.
TEST(SwitchMulticast, AnAggregationListensAsOne) {
    Settings settings = listening(4);
    settings.fdb.static_entries.resize(2);
    settings.aggregations = {{.members = 0b1100}};
    Rig rig(settings);
    rig.receive(3, {report(3)}, "r");
    for (const char name : std::string("abcdefgh")) {
        rig.receive(0, std::string(1, name), {.to = test::mac_of(group_a)});
        rig.run();
    }
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.sent(2).size() + rig.sent(3).size(), 8U);
    rig.dataplane.set_link(3, false);
    rig.housekeep();
    rig.receive(0, "i", {.to = test::mac_of(group_a)});
    rig.run();
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.sent(2).back(), 'i');  // the others of it are still there
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMulticast, WhatIsFlushedIsForgotten) {
    Rig rig(listening(4));
    const auto who_gets = [&] {
        rig.receive(0, "a", {.to = test::mac_of(group_a)});
        rig.run();
        return rig.sent_now(1) + '-' + rig.sent_now(2) + '-' + rig.sent_now(3);
    };
    rig.receive(2, {report(2)}, "r");
    rig.receive(3, {report(3)}, "r");
    EXPECT_EQ(who_gets(), "-a-a");
    rig.dataplane.flush_fdb_port(2);
    rig.housekeep();
    EXPECT_EQ(who_gets(), "--a");
    rig.dataplane.flush_fdb_vlan(1);
    rig.housekeep();
    EXPECT_EQ(who_gets(), "a-a-a");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchMulticast, SettingsMayTurnItOnAndOff) {
    Rig rig(settings_of(3));
    Settings on = listening(3);
    rig.adopt(on);
    rig.receive(2, {report(2)}, "r");
    rig.receive(0, "a", {.to = test::mac_of(group_a)});
    rig.adopt(settings_of(3));
    rig.receive(0, "b", {.to = test::mac_of(group_a)});
    rig.adopt(on);
    rig.receive(0, "c", {.to = test::mac_of(group_a)});
    rig.run();
    EXPECT_EQ(rig.sent(1), "bc");  // memberships were forgotten meanwhile
    EXPECT_EQ(rig.sent(2), "abc");
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

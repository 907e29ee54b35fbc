#include "dataplane/forward/multicast/memberships.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/unit/dataplane/forward/multicast/listeners.h"

namespace sluice {
namespace {

using namespace literals;

using test::group_a;
using test::group_b;
using test::group_of_6;
using test::Listeners;

TEST(Memberships, SaysWhileARoundOfAgeingIsUnderWay) {
    Listeners listeners;
    EXPECT_EQ(listeners.calls_of_a_round(), 0U) << "there is nothing to age";
    listeners.join(0, group_a);
    const std::size_t steps = listeners.settings.multicast.capacity + max_vlans;
    EXPECT_EQ(listeners.calls_of_a_round(), steps / 16 - 1);
    EXPECT_EQ(listeners.calls_of_a_round(), 0U) << "the next one is later";
}

TEST(Memberships, WhoJoinsListens) {
    Listeners listeners;
    EXPECT_EQ(listeners.ports(group_a), "none");
    listeners.join(1, group_a);
    listeners.join(3, group_a);
    listeners.join(2, group_of_6);
    EXPECT_EQ(listeners.ports(group_a), "13");
    EXPECT_EQ(listeners.ports(group_a, 2), "none");
    EXPECT_EQ(listeners.ports(group_b), "none");
    EXPECT_EQ(listeners.ports(group_of_6), "2");
}

// --- time ----------------------------------------------------------------------------------------

TEST(Memberships, WhoIsSilentIsGoneAfterTheIntervalAndNotBefore) {
    Listeners listeners;
    listeners.join(1, group_a);
    listeners.wait(100_s);
    listeners.join(2, group_a);
    listeners.wait(160_s - 1_ns);
    EXPECT_EQ(listeners.ports(group_a), "12");
    listeners.wait(1_s);
    EXPECT_EQ(listeners.ports(group_a), "2");
    listeners.wait(100_s);
    EXPECT_EQ(listeners.ports(group_a), "none");
    EXPECT_EQ(listeners.memberships->groups().size(), 0U);
}

TEST(Memberships, WhoReportsAgainStays) {
    Listeners listeners;
    for (int report = 0; report < 10; ++report) {
        listeners.join(1, group_a);
        listeners.wait(125_s);
        ASSERT_EQ(listeners.ports(group_a), "1") << report;
    }
}

TEST(Memberships, WhoLeavesHasTwoSecondsToBeContradicted) {
    Listeners listeners;
    listeners.join(1, group_a);
    listeners.join(2, group_a);
    listeners.leave(1, group_a);
    listeners.leave(2, group_a);
    listeners.wait(1_s);
    EXPECT_EQ(listeners.ports(group_a), "12");
    listeners.join(2, group_a);  // another host behind the same port
    listeners.wait(1_s);
    EXPECT_EQ(listeners.ports(group_a), "2");
    listeners.wait(200_s);
    EXPECT_EQ(listeners.ports(group_a), "2");
}

TEST(Memberships, LeavingDoesNotProlong) {
    Listeners listeners;
    listeners.join(1, group_a);
    listeners.wait(259_s);
    listeners.leave(1, group_a);
    listeners.wait(1_s);
    EXPECT_EQ(listeners.ports(group_a), "none");
}

TEST(Memberships, WithFastLeaveWhoLeavesIsGone) {
    Settings settings = Listeners::ordinary();
    settings.multicast.fast_leave = true;
    Listeners listeners(settings);
    listeners.join(1, group_a);
    listeners.join(2, group_a);
    listeners.leave(1, group_a);
    EXPECT_EQ(listeners.ports(group_a), "2");
    listeners.leave(2, group_a);
    EXPECT_EQ(listeners.ports(group_a), "none");
}

TEST(Memberships, LeavingWhatOneIsNotInIsNothing) {
    Listeners listeners;
    listeners.leave(1, group_a);
    listeners.join(2, group_a);
    listeners.leave(1, group_a);
    listeners.wait(100_s);
    EXPECT_EQ(listeners.ports(group_a), "2");
}

// RFC 2236 5: a host of version 1 does not say that it leaves, so nobody else may for it.
TEST(Memberships, AGroupWithHostsOfVersion1IsNotLeft) {
    Settings settings = Listeners::ordinary();
    settings.multicast.fast_leave = true;
    Listeners listeners(settings);
    listeners.join(1, group_a, 1, true);
    listeners.leave(1, group_a);
    listeners.wait(200_s);
    EXPECT_EQ(listeners.ports(group_a), "1");
    listeners.join(1, group_a);  // of version 2: the other's time goes on to run out
    listeners.wait(60_s);
    listeners.leave(1, group_a);
    EXPECT_EQ(listeners.ports(group_a), "none");
}

TEST(Memberships, AgesAFewEntriesACall) {
    Listeners listeners;
    for (uint64_t n = 0; n < 1000; ++n) listeners.join(1, {0x01005E010000 + n});
    listeners.now += 300_s;
    listeners.memberships->age(listeners.now);
    EXPECT_GE(listeners.memberships->groups().size(), 1000U - 16);
    listeners.wait(0_s);
    EXPECT_EQ(listeners.memberships->groups().size(), 0U);
}

// --- routers -------------------------------------------------------------------------------------

TEST(Memberships, ARouterIsKnownWhileItAsks) {
    Listeners listeners;
    listeners.memberships->note_router(1, 3, listeners.now);
    EXPECT_EQ(listeners.routers(), "3");
    EXPECT_EQ(listeners.routers(2), "");
    listeners.wait(125_s);
    listeners.memberships->note_router(1, 3, listeners.now);
    listeners.wait(259_s);
    EXPECT_EQ(listeners.routers(), "3");
    listeners.wait(1_s);
    EXPECT_EQ(listeners.routers(), "");
}

// --- what is forgotten at once -------------------------------------------------------------------

TEST(Memberships, APortThatIsForgottenLeavesAll) {
    Listeners listeners;
    listeners.join(1, group_a);
    listeners.join(2, group_a);
    listeners.join(1, group_b, 7);
    listeners.memberships->note_router(7, 1, listeners.now);
    listeners.memberships->forget_ports(only(1));
    EXPECT_EQ(listeners.ports(group_a), "2");
    EXPECT_EQ(listeners.ports(group_b, 7), "none");
    EXPECT_EQ(listeners.routers(7), "");
}

TEST(Memberships, AVlanThatIsForgottenHasNoListeners) {
    Settings settings = Listeners::ordinary();
    settings.multicast.groups = {{.vlan = 7, .address = group_a, .ports = 0b0001}};
    Listeners listeners(settings);
    listeners.join(1, group_a, 7);
    listeners.join(1, group_a, 8);
    listeners.memberships->note_router(7, 1, listeners.now);
    listeners.memberships->forget_vlan(7);
    EXPECT_EQ(listeners.ports(group_a, 7), "0");
    EXPECT_EQ(listeners.ports(group_a, 8), "1");
    EXPECT_EQ(listeners.routers(7), "");
}

TEST(Memberships, WhereNobodyListensAnyMoreNothingIsKnown) {
    Listeners listeners;
    listeners.join(1, group_a, 10);
    listeners.join(1, group_a, 20);
    listeners.join(1, group_of_6, 20);
    listeners.memberships->note_router(10, 1, listeners.now);
    listeners.settings.multicast.snooping[10] = 0;
    listeners.settings.multicast.snooping[20] = only_protocol(GroupProtocol::mld);
    listeners.configure();
    EXPECT_EQ(listeners.ports(group_a, 10), "none");
    EXPECT_EQ(listeners.routers(10), "");
    EXPECT_EQ(listeners.ports(group_a, 20), "none");
    EXPECT_EQ(listeners.ports(group_of_6, 20), "1");
    listeners.join(1, group_a, 10);
    listeners.memberships->note_router(10, 1, listeners.now);
    EXPECT_EQ(listeners.ports(group_a, 10), "none");
    EXPECT_EQ(listeners.routers(10), "");
}

TEST(Memberships, APortThatHasLeftTheVlanHasLeftItsGroups) {
    Listeners listeners;
    listeners.join(1, group_a, 10);
    listeners.join(2, group_a, 10);
    listeners.settings.vlan.filtering = true;
    listeners.settings.vlan.members[10] = 0b0100;
    listeners.configure();
    EXPECT_EQ(listeners.ports(group_a, 10), "2");
    listeners.settings.vlan.members[10] = 0;
    listeners.configure();
    EXPECT_EQ(listeners.ports(group_a, 10), "none");
}

// --- static groups -------------------------------------------------------------------------------

TEST(Memberships, AStaticGroupHasNoEnd) {
    Settings settings = Listeners::ordinary();
    settings.multicast.groups = {{.vlan = 1, .address = group_a, .ports = 0b0010}};
    Listeners listeners(settings);
    EXPECT_EQ(listeners.ports(group_a), "1");
    listeners.leave(1, group_a);
    listeners.memberships->forget_ports(only(1));
    listeners.wait(1000_s);
    EXPECT_EQ(listeners.ports(group_a), "1");
}

TEST(Memberships, AStaticGroupMayHaveLearnedPortsBeside) {
    Settings settings = Listeners::ordinary();
    settings.multicast.groups = {{.vlan = 1, .address = group_a, .ports = 0b0010}};
    Listeners listeners(settings);
    listeners.join(1, group_a);
    listeners.join(3, group_a);
    EXPECT_EQ(listeners.ports(group_a), "13");
    listeners.settings.multicast.groups.clear();
    listeners.configure();
    EXPECT_EQ(listeners.ports(group_a), "13");  // it has joined as well
    listeners.wait(260_s);
    EXPECT_EQ(listeners.ports(group_a), "none");
}

TEST(Memberships, SettingsReplaceStaticGroups) {
    Settings settings = Listeners::ordinary();
    settings.multicast.snooping.fill(0);
    settings.multicast.groups = {{.vlan = 1, .address = group_a, .ports = 0b0010},
                                 {.vlan = 2, .address = group_a, .ports = 0b0100}};
    Listeners listeners(settings);
    listeners.settings.multicast.groups = {{.vlan = 1, .address = group_a, .ports = 0b1000},
                                           {.vlan = 1, .address = group_b, .ports = 0b0001}};
    listeners.configure();
    EXPECT_EQ(listeners.ports(group_a), "3");
    EXPECT_EQ(listeners.ports(group_a, 2), "none");
    EXPECT_EQ(listeners.ports(group_b), "0");
    EXPECT_EQ(listeners.memberships->groups().size(), 2U);
}

TEST(Memberships, AStaticGroupIsOfTheFamilyOfItsPorts) {
    Settings settings = Listeners::ordinary();
    settings.ports[2].format.family = FormatFamily::afh_16;
    const MacAddress id{uint64_t{1} << 40 | 7};
    settings.multicast.groups = {{.vlan = 1, .address = id, .ports = 0b0100}};
    const Listeners listeners(settings);
    const GroupTable& groups = listeners.memberships->groups();
    EXPECT_EQ(groups.find(Fdb::key_of(FormatFamily::afh_16, 1, id)), PortSet{0b0100});
}

TEST(Memberships, APortOfAStaticGroupMayBeAnAggregations) {
    Settings settings = Listeners::ordinary();
    settings.aggregations = {{.members = 0b1100}};
    settings.multicast.groups = {{.vlan = 1, .address = group_a, .ports = 0b1001}};
    EXPECT_EQ(Listeners(settings).ports(group_a), "02");
}

// --- full ----------------------------------------------------------------------------------------

TEST(Memberships, WhatFindsNoPlaceIsCountedAndStaysUnknown) {
    Settings settings = Listeners::ordinary();
    settings.multicast.capacity = 2;
    Listeners listeners(settings);
    listeners.join(1, group_a);
    listeners.join(1, group_b);
    listeners.join(1, group_of_6);
    EXPECT_EQ(listeners.ports(group_of_6), "none");
    EXPECT_EQ(listeners.memberships->full(), 1U);
    listeners.join(2, group_a);  // is known, and needs none
    EXPECT_EQ(listeners.ports(group_a), "12");
    EXPECT_EQ(listeners.memberships->full(), 1U);
}

TEST(Memberships, AStaticGroupTakesThePlaceOfALearnedOne) {
    Settings settings = Listeners::ordinary();
    settings.multicast.capacity = 2;
    settings.multicast.groups = {{.vlan = 1, .address = group_a, .ports = 0b0001}};
    Listeners listeners(settings);
    listeners.join(1, group_b);
    listeners.settings.multicast.groups.push_back(
        {.vlan = 1, .address = group_of_6, .ports = 0b0010});
    listeners.configure();
    EXPECT_EQ(listeners.ports(group_a), "0");
    EXPECT_EQ(listeners.ports(group_b), "none");
    EXPECT_EQ(listeners.ports(group_of_6), "1");
    EXPECT_EQ(listeners.memberships->full(), 1U);
}

}  // namespace
}  // namespace sluice

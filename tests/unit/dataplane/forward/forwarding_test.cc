#include "dataplane/forward/forwarding.h"

#include <gtest/gtest.h>

#include <string>

#include "dataplane/forward/flood.h"
#include "tests/unit/dataplane/forward/bridge.h"

namespace sluice {
namespace {

using namespace literals;
using test::Bridge;
using test::broadcast;
using test::station;

TEST(Flood, IsEveryMemberWithLinkButTheInput) {
    EXPECT_EQ(flood_outputs(0b1111, 0b1111, 0), 0b1110U);
    EXPECT_EQ(flood_outputs(0b0111, 0b1101, 2), 0b0001U);
    EXPECT_EQ(flood_outputs(0b0001, 0b1111, 0), 0U);
}

TEST(Forwarding, FloodsWhoItDoesNotKnow) {
    Bridge bridge;
    EXPECT_EQ(bridge.send(0, station(0), station(1)), "123");
    EXPECT_EQ(bridge.send(2, station(2), broadcast), "013");
}

TEST(Forwarding, SendsToWhereItLearnedThem) {
    Bridge bridge;
    bridge.send(0, station(0), station(1));
    EXPECT_EQ(bridge.send(3, station(1), station(0)), "0");
    EXPECT_EQ(bridge.send(0, station(0), station(1)), "3");
}

TEST(Forwarding, FollowsWhoMoved) {
    Bridge bridge;
    bridge.send(0, station(0), broadcast);
    bridge.send(2, station(0), broadcast);
    EXPECT_EQ(bridge.send(3, station(1), station(0)), "2");
    EXPECT_EQ(bridge.forwarding.fdb().moves(), 1U);
}

TEST(Forwarding, SendsNothingBackWhereItCameFrom) {
    Bridge bridge;
    bridge.send(0, station(0), broadcast);
    EXPECT_EQ(bridge.send(0, station(7), station(0)), "same_port");
}

TEST(Forwarding, AGroupIsFloodedAndNeverLearned) {
    Bridge bridge;
    const MacAddress group{0x0100'5E00'0001};
    EXPECT_EQ(bridge.send(1, station(1), group), "023");
    EXPECT_EQ(bridge.send(1, station(1), group), "023");
}

TEST(Forwarding, OnlyPortsWithLinkAreOutputs) {
    Bridge bridge;
    bridge.send(3, station(3), broadcast);
    bridge.links = 0b0111;
    EXPECT_EQ(bridge.send(0, station(0), broadcast), "12");
    EXPECT_EQ(bridge.send(0, station(0), station(3)), "no_output");
    bridge.links = 0b0001;
    EXPECT_EQ(bridge.send(0, station(0), broadcast), "no_output");
}

TEST(Forwarding, ForgetsWhoWasBehindALostLink) {
    Bridge bridge;
    bridge.send(3, station(3), broadcast);
    bridge.send(2, station(2), broadcast);
    bridge.links = 0b0111;
    bridge.forwarding.housekeep(bridge.links, 1_s);
    bridge.links = 0b1111;
    bridge.forwarding.housekeep(bridge.links, 2_s);
    EXPECT_EQ(bridge.send(0, station(0), station(3)), "123");
    EXPECT_EQ(bridge.send(0, station(0), station(2)), "2");
}

// --- VLANs ---------------------------------------------------------------------------------------

Settings filtering() {
    Settings settings = Bridge::ordinary();
    settings.vlan.filtering = true;
    settings.vlan.members[10] = 0b0011;
    settings.vlan.members[20] = 0b1110;
    return settings;
}

TEST(Vlan, WithoutFilteringEveryPortIsAMember) {
    Bridge bridge;
    EXPECT_EQ(bridge.send(0, station(0), broadcast, 4000), "123");
}

TEST(Vlan, AnInputThatIsNoMemberIsFiltered) {
    Bridge bridge(filtering());
    EXPECT_EQ(bridge.send(0, station(0), broadcast, 20), "vlan_filtered");
    EXPECT_EQ(bridge.send(0, station(0), broadcast, 1), "vlan_filtered");
    EXPECT_EQ(bridge.forwarding.fdb().size(), 0U);  // and nothing is learned from it
}

TEST(Vlan, AFrameStaysInItsVlan) {
    Bridge bridge(filtering());
    EXPECT_EQ(bridge.send(1, station(1), broadcast, 10), "0");
    EXPECT_EQ(bridge.send(1, station(1), broadcast, 20), "23");
    // Known in VLAN 10 on port 1, unknown in VLAN 20.
    EXPECT_EQ(bridge.send(0, station(0), station(1), 10), "1");
    EXPECT_EQ(bridge.send(3, station(3), station(0), 20), "12");
}

TEST(Vlan, ADestinationThatIsNoMemberIsNoOutput) {
    Settings settings = filtering();
    settings.fdb.static_entries = {{.vlan = 10, .address = station(3), .port = 3}};
    Bridge bridge(settings);
    EXPECT_EQ(bridge.send(0, station(0), station(3), 10), "no_output");
}

TEST(Vlan, AWorkerAdoptsMembershipForItself) {
    Settings settings = Bridge::ordinary(2);
    Bridge bridge(settings);
    settings.vlan = filtering().vlan;
    bridge.forwarding.shard(1).adopt(settings);
    EXPECT_EQ(bridge.send(0, station(0), broadcast, 10, 0), "123");
    EXPECT_EQ(bridge.send(0, station(0), broadcast, 10, 1), "1");
}

// --- static entries ------------------------------------------------------------------------------

TEST(StaticEntries, AreThereFromTheStartAndHoldTheirPort) {
    Settings settings = Bridge::ordinary();
    settings.fdb.static_entries = {{.vlan = 1, .address = station(3), .port = 3}};
    Bridge bridge(settings);
    EXPECT_EQ(bridge.send(0, station(0), station(3)), "3");
    EXPECT_EQ(bridge.send(2, station(3), station(0)), "static_source");
    EXPECT_EQ(bridge.send(3, station(3), station(0)), "0");
    EXPECT_EQ(bridge.send(0, station(0), station(3)), "3");
}

// --- what other workers see ----------------------------------------------------------------------

TEST(Sightings, AreLearnedByWorker0AtItsNextTurn) {
    Bridge bridge(Bridge::ordinary(2));
    bridge.send(3, station(3), broadcast, 1, 1);
    EXPECT_EQ(bridge.send(0, station(0), station(3)), "123");
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.send(0, station(0), station(3)), "3");
}

TEST(Sightings, KeepAnAddressYoung) {
    Settings settings = Bridge::ordinary(2);
    settings.fdb.ageing = 1_s;
    Bridge bridge(settings);
    const auto housekeep = [&](Nanos now) {
        for (int call = 0; call < 100; ++call) bridge.forwarding.housekeep(bridge.links, now);
    };
    for (Nanos now = 0_s; now < 10_s; now += 500_ms) {
        bridge.send(3, station(3), broadcast, 1, 1, Fdb::epoch_of(now));
        housekeep(now);
    }
    housekeep(10_s);
    EXPECT_EQ(bridge.send(0, station(0), station(3)), "3");
    housekeep(12_s);
    EXPECT_EQ(bridge.send(0, station(0), station(3)), "123");
}

TEST(Sightings, AFullQueueForgetsAndLosesNothingElse) {
    Settings settings = Bridge::ordinary(2);
    settings.fdb.capacity = 4096;
    Bridge bridge(settings);
    for (unsigned host = 0; host < 1500; ++host) {
        EXPECT_EQ(bridge.send(3, station(host), broadcast, 1, 1), "012");
    }
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.forwarding.fdb().size(), 1024U);
    for (unsigned host = 0; host < 1500; ++host) bridge.send(3, station(host), broadcast, 1, 1);
    bridge.forwarding.housekeep(bridge.links, 0_s);  // a forgotten station has sent again
    EXPECT_EQ(bridge.forwarding.fdb().size(), 1500U);
}

TEST(Forwarding, AFlushIsDoneAtTheNextTurnOfWorker0) {
    Bridge bridge;
    bridge.send(3, station(3), broadcast);
    bridge.forwarding.flush_orders().all();
    EXPECT_EQ(bridge.send(0, station(0), station(3)), "3");
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.send(0, station(0), station(3)), "123");
}

TEST(Forwarding, AFlushOfAMemberIsOneOfItsAggregation) {
    Settings settings = Bridge::ordinary();
    settings.aggregations = {{.members = 0b0110}};
    Bridge bridge(settings);
    bridge.send(1, station(7), broadcast);
    EXPECT_EQ(bridge.send(0, station(0), station(7)), "1");
    bridge.forwarding.flush_orders().port(2);
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_NE(bridge.send(0, station(0), station(7)), "1");
}

TEST(Forwarding, AFlushMayBeOfAVlanOrAPort) {
    Bridge bridge;
    const auto learn = [&] {
        for (const VlanId vlan : {VlanId{1}, VlanId{10}}) {
            bridge.send(2, station(2), broadcast, vlan);
            bridge.send(3, station(3), broadcast, vlan);
        }
    };
    const auto where = [&](MacAddress who, VlanId vlan) {
        return bridge.send(0, station(0), who, vlan);
    };
    learn();
    bridge.forwarding.flush_orders().vlan(10);
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(where(station(2), 1), "2");
    EXPECT_EQ(where(station(3), 10), "123");
    learn();
    bridge.forwarding.flush_orders().port(3);
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(where(station(2), 10), "2");
    EXPECT_EQ(where(station(3), 1), "123");
    EXPECT_EQ(where(station(3), 10), "123");
}

RememberedAddress remembered(PortIndex port, VlanId vlan, Nanos age) {
    return {.vlan = vlan, .address = station(1), .port = port, .age = age};
}

TEST(Forwarding, KnowsAgainWhoWasKnownBefore) {
    Settings settings = Bridge::ordinary();
    settings.fdb.ageing = 300_s;
    Bridge bridge(settings);
    EXPECT_TRUE(bridge.forwarding.restore(remembered(2, 1, 290_s), 100_s));
    EXPECT_EQ(bridge.send(0, station(0), station(1)), "2");
    for (int call = 0; call < 100; ++call) bridge.forwarding.housekeep(bridge.links, 109_s);
    EXPECT_EQ(bridge.send(0, station(0), station(1)), "2");
    for (int call = 0; call < 100; ++call) bridge.forwarding.housekeep(bridge.links, 111_s);
    EXPECT_EQ(bridge.send(0, station(0), station(1)), "123") << "its age went on";
    EXPECT_FALSE(bridge.forwarding.restore(remembered(2, 1, 300_s), 111_s)) << "it has aged";
}

TEST(Forwarding, WhatNeverAgesIsKnownAgainHoweverOld) {
    Settings settings = Bridge::ordinary();
    settings.fdb.ageing = 10_s;
    settings.ports[2].sticky = true;
    EXPECT_TRUE(Forwarding(settings).restore(remembered(2, 1, 1000_s), 0_s));
    EXPECT_FALSE(Forwarding(settings).restore(remembered(1, 1, 1000_s), 0_s));
    settings.fdb.ageing = 0_s;
    EXPECT_TRUE(Forwarding(settings).restore(remembered(1, 1, 1000_s), 0_s));
}

TEST(Forwarding, KnowsNobodyAgainWhereHeCannotBe) {
    Settings settings = Bridge::ordinary();
    settings.vlan.filtering = true;
    settings.vlan.members[10] = 0b0011;
    settings.vlan.members[11] = 0b1111;
    settings.vlan.unlearned[11] = true;
    Forwarding forwarding(settings);
    EXPECT_TRUE(forwarding.restore(remembered(1, 10, 0_s), 0_s));
    EXPECT_FALSE(forwarding.restore(remembered(2, 10, 0_s), 0_s)) << "no member";
    EXPECT_FALSE(forwarding.restore(remembered(1, 11, 0_s), 0_s)) << "nobody is learned there";
    EXPECT_EQ(forwarding.fdb().size(), 1U);
}

TEST(Forwarding, WhoIsKnownAlreadyStaysWhereHeIs) {
    Settings settings = Bridge::ordinary();
    settings.fdb.static_entries.push_back({.vlan = 1, .address = station(1), .port = 3});
    Bridge bridge(settings);
    EXPECT_FALSE(bridge.forwarding.restore(remembered(2, 1, 0_s), 0_s));
    EXPECT_EQ(bridge.send(0, station(0), station(1)), "3");
    EXPECT_EQ(bridge.forwarding.fdb().moves(), 0U);
}

TEST(Forwarding, KnowsNoMoreAgainThanThereIsRoomFor) {
    Settings settings = Bridge::ordinary();
    settings.fdb.capacity = 16;
    Forwarding forwarding(settings);
    unsigned known = 0;
    for (unsigned number = 0; number < 100; ++number) {
        RememberedAddress one = remembered(1, 1, 0_s);
        one.address = station(number);
        if (forwarding.restore(one, 0_s)) ++known;
    }
    EXPECT_EQ(known, forwarding.fdb().size());
    EXPECT_LE(known, 16U);
    EXPECT_GT(known, 8U);
}

}  // namespace
}  // namespace sluice

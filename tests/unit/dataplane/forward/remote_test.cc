// What control binds behind tunnels: in the FDB, and where frames go by it.
#include <gtest/gtest.h>

#include "dataplane/forward/forwarding.h"
#include "tests/unit/dataplane/forward/bridge.h"

namespace sluice {
namespace {

using namespace literals;
using test::Bridge;
using test::broadcast;
using test::station;
using enum RemoteOrder::Kind;

// Ports 2 and 3 are tunnels.
class Leaf : public Bridge {
  public:
    static Settings ordinary(uint8_t workers = 1) {
        Settings settings = Bridge::ordinary(workers);
        settings.ports[2].evpn = settings.ports[3].evpn = true;
        return settings;
    }
    explicit Leaf(const Settings& settings = ordinary()) : Bridge(settings) {}

    void order(MacAddress address, RemoteOrder order) {
        ASSERT_TRUE(forwarding.order_remote(1, address, order));
        forwarding.housekeep(links, 1_s);
    }
    [[nodiscard]] Fdb::PackedEntry entry(MacAddress address) const {
        return forwarding.fdb().find(forwarding.fdb().probe(Fdb::key_of(1, address)));
    }
};

TEST(Remote, FloodsGoToTunnelsThatAreNamedAlone) {
    Leaf leaf;
    EXPECT_EQ(leaf.send(0, station(0), broadcast), "1");
    leaf.forwarding.set_unflooded(only(3));
    EXPECT_EQ(leaf.send(0, station(0), broadcast), "12");
    EXPECT_EQ(leaf.send(0, station(0), station(9)), "12");
    leaf.forwarding.set_unflooded(0);
    EXPECT_EQ(leaf.send(0, station(0), broadcast), "123");
}

TEST(Remote, WhoIsKnownBehindATunnelIsSentToWithoutFloods) {
    Leaf leaf;
    leaf.order(station(9), {bind, 3});
    EXPECT_EQ(leaf.send(0, station(0), station(9)), "3");
    EXPECT_EQ(leaf.entry(station(9)).kind(), EntryKind::remote);
    EXPECT_EQ(leaf.entry(station(9)).port(), 3);
}

TEST(Remote, NothingIsLearnedAtTunnels) {
    Leaf leaf;
    EXPECT_EQ(leaf.send(2, station(9), broadcast), "01");
    EXPECT_FALSE(leaf.entry(station(9)));
    leaf.order(station(9), {bind, 3});
    EXPECT_EQ(leaf.send(2, station(9), station(0)), "01");
    EXPECT_EQ(leaf.entry(station(9)).port(), 3);
    leaf.send(0, station(0), broadcast);
    EXPECT_EQ(leaf.send(2, station(0), broadcast), "01");
    EXPECT_EQ(leaf.entry(station(0)).port(), 0);
}

TEST(Remote, NoFrameGoesFromTunnelToTunnel) {
    const Leaf leaf;
    const Forwarding::Shard& shard = const_cast<Forwarding&>(leaf.forwarding).shard(0);
    EXPECT_EQ(shard.reachable(2, 0b1111), 0b0011U);
    EXPECT_EQ(shard.reachable(0, 0b1111), 0b1111U);
}

TEST(Remote, TunnelsAreKeptApartFromEachOtherAndIsolatedPortsLikewise) {
    Settings settings = Leaf::ordinary();
    settings.ports[0].isolated = settings.ports[1].isolated = true;
    Leaf leaf(settings);
    EXPECT_EQ(leaf.forwarding.shard(0).reachable(0, 0b1111), 0b1100U);
    EXPECT_EQ(leaf.forwarding.shard(0).reachable(2, 0b1111), 0b0011U);
}

TEST(Remote, WhoMovesAwayIsFollowedAsTheDaemonSays) {
    Leaf leaf;
    leaf.send(0, station(9), broadcast);
    leaf.order(station(9), {bind, 2});
    EXPECT_EQ(leaf.send(1, station(1), station(9)), "2");
    leaf.order(station(9), {bind, 3});
    EXPECT_EQ(leaf.send(1, station(1), station(9)), "3");
    EXPECT_EQ(leaf.forwarding.fdb().size(), 2U);
    EXPECT_EQ(leaf.forwarding.fdb().moves(), 2U);
}

TEST(Remote, WhoMovesHereIsLearnedEvenWhereMovesAreRefused) {
    for (const Moves moves : {Moves::follow, Moves::refuse}) {
        Settings settings = Leaf::ordinary();
        settings.fdb.moves = moves;
        Leaf leaf(settings);
        leaf.order(station(9), {bind, 2});
        leaf.send(0, station(9), broadcast);
        EXPECT_EQ(leaf.send(1, station(1), station(9)), "0");
        leaf.order(station(9), {unbind, 0});  // too late
        EXPECT_EQ(leaf.entry(station(9)).kind(), EntryKind::learned);
    }
}

TEST(Remote, AnotherWorkerSeesAMoveHere) {
    Leaf leaf(Leaf::ordinary(2));
    leaf.order(station(9), {bind, 2});
    leaf.send(0, station(9), broadcast, 1, 1);
    leaf.forwarding.housekeep(leaf.links, 1_s);
    EXPECT_EQ(leaf.entry(station(9)).kind(), EntryKind::learned);
    leaf.send(2, station(8), broadcast, 1, 1);
    leaf.forwarding.housekeep(leaf.links, 1_s);
    EXPECT_FALSE(leaf.entry(station(8)));
}

TEST(Remote, EndsAsConfigured) {
    Leaf leaf;
    leaf.order(station(9), {bind, 2});
    leaf.order(station(9), {unbind, 0});
    EXPECT_FALSE(leaf.entry(station(9)));
    leaf.send(0, station(9), broadcast);
    leaf.order(station(9), {unbind, 0});
    EXPECT_TRUE(leaf.entry(station(9)));
    leaf.order(station(9), {forget, 0});
    EXPECT_FALSE(leaf.entry(station(9)));
    EXPECT_EQ(leaf.forwarding.fdb().size(), 0U);
}

TEST(Remote, NeitherAgesNorIsFlushedNorGoesWithTheLink) {
    Leaf leaf;
    leaf.order(station(9), {bind, 2});
    leaf.send(0, station(0), broadcast);
    leaf.forwarding.flush_orders().all();
    leaf.forwarding.flush_orders().vlan(1);
    leaf.links = 0b1011;
    for (int turn = 0; turn < 100; ++turn) leaf.forwarding.housekeep(leaf.links, 1000_s);
    leaf.links = 0b1111;
    EXPECT_FALSE(leaf.entry(station(0)));
    EXPECT_EQ(leaf.send(0, station(0), station(9)), "2");
}

TEST(Remote, AStaticEntryStays) {
    Settings settings = Leaf::ordinary();
    settings.fdb.static_entries = {{1, station(9), 1}};
    Leaf leaf(settings);
    leaf.order(station(9), {bind, 2});
    leaf.order(station(9), {forget, 0});
    EXPECT_EQ(leaf.send(0, station(0), station(9)), "1");
    EXPECT_EQ(leaf.send(2, station(9), broadcast), "static_source");
}

TEST(Remote, TakesThePlaceOfWhatWasLearned) {
    Settings settings = Leaf::ordinary();
    settings.fdb.capacity = 64;
    Leaf leaf(settings);
    for (unsigned n = 0; n < 200; ++n) leaf.send(0, station(n), broadcast);
    ASSERT_EQ(leaf.forwarding.fdb().size(), 64U);
    const unsigned bound = 20;
    unsigned found = 0;
    for (unsigned n = 0; n < bound; ++n) {
        leaf.order(station(1000 + n), {bind, 2});
        if (leaf.entry(station(1000 + n))) ++found;
    }
    EXPECT_GE(found, bound / 2);  // all whose buckets hold a learned one
    EXPECT_EQ(leaf.forwarding.fdb().size(), 64U);
}

TEST(Remote, IsNotRememberedFromBeforeARestart) {
    Leaf leaf;
    EXPECT_FALSE(leaf.forwarding.restore({.vlan = 1, .address = station(9), .port = 2}, 1_s));
    EXPECT_TRUE(leaf.forwarding.restore({.vlan = 1, .address = station(9), .port = 1}, 1_s));
}

TEST(Remote, NoMoreOrdersThanThereMayBe) {
    Leaf leaf;
    for (uint32_t n = 0; n < Forwarding::most_remote_orders; ++n) {
        ASSERT_TRUE(leaf.forwarding.order_remote(1, station(n), {bind, 2}));
    }
    EXPECT_FALSE(leaf.forwarding.order_remote(1, station(999), {bind, 2}));
    leaf.forwarding.housekeep(leaf.links, 1_s);
    EXPECT_TRUE(leaf.forwarding.order_remote(1, station(999), {bind, 2}));
}

}  // namespace
}  // namespace sluice

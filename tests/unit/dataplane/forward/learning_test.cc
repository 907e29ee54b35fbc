// Which sources are learned, which stay where they are, and whose frames are refused.
#include <gtest/gtest.h>

#include "tests/unit/dataplane/forward/bridge.h"

namespace sluice {
namespace {

using namespace literals;
using test::Bridge;
using test::broadcast;
using test::station;

Settings with(uint8_t workers, void (*choose)(Settings&)) {
    Settings settings = Bridge::ordinary(workers);
    choose(settings);
    return settings;
}
// Sweeps the whole table: as many turns as that takes.
void sweep(Bridge& bridge, Nanos now = 0_s) {
    for (int turn = 0; turn < 100; ++turn) bridge.forwarding.housekeep(bridge.links, now);
}

// --- a full table --------------------------------------------------------------------------------

Settings small(uint8_t workers, WhenFull when_full) {
    Settings settings = Bridge::ordinary(workers);
    settings.fdb.capacity = 64;
    settings.fdb.when_full = when_full;
    return settings;
}

TEST(WhenFull, FloodLetsEverybodySpeak) {
    Bridge bridge(small(1, WhenFull::flood));
    for (unsigned host = 0; host < 100; ++host) {
        EXPECT_EQ(bridge.send(0, station(host), broadcast), "123");
    }
    EXPECT_EQ(bridge.forwarding.fdb().full(), 36U);
    EXPECT_EQ(bridge.send(1, station(0), station(63)), "0");
    EXPECT_EQ(bridge.send(1, station(0), station(64)), "023");
}

TEST(WhenFull, DropLetsSpeakWhoHasAPlace) {
    Bridge bridge(small(1, WhenFull::drop));
    for (unsigned host = 0; host < 64; ++host) bridge.send(0, station(host), broadcast);
    EXPECT_EQ(bridge.send(0, station(64), broadcast), "fdb_full");
    EXPECT_EQ(bridge.send(0, station(63), broadcast), "123");
    EXPECT_EQ(bridge.send(2, station(63), broadcast), "013");  // a move needs no place
    EXPECT_EQ(bridge.send(1, station(0), station(63)), "2");   // and nobody lost his
}

TEST(WhenFull, AFlushMakesPlaceAtOnce) {
    Bridge bridge(small(1, WhenFull::drop));
    for (unsigned host = 0; host < 64; ++host) bridge.send(0, station(host), broadcast);
    bridge.forwarding.flush_orders().all();
    sweep(bridge);
    for (unsigned host = 100; host < 164; ++host) {
        EXPECT_EQ(bridge.send(0, station(host), broadcast), "123");
    }
    EXPECT_EQ(bridge.send(0, station(164), broadcast), "fdb_full");
}

TEST(WhenFull, HoldsForSourcesThatOtherWorkersSee) {
    Bridge bridge(small(2, WhenFull::drop));
    for (unsigned host = 0; host < 64; ++host) bridge.send(1, station(host), broadcast, 1, 1);
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.send(1, station(64), broadcast, 1, 1), "fdb_full");
    EXPECT_EQ(bridge.send(1, station(63), broadcast, 1, 1), "023");
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.forwarding.fdb().full(), 1U);  // worker 0 has tried
    bridge.forwarding.flush_orders().port(1);
    sweep(bridge);
    EXPECT_EQ(bridge.send(1, station(64), broadcast, 1, 1), "023");
}

// --- moves ---------------------------------------------------------------------------------------

Settings refusing(uint8_t workers = 1) {
    return with(workers, [](Settings& settings) {
        settings.fdb.moves = Moves::refuse;
        settings.fdb.ageing = 1_s;
    });
}

TEST(Moves, WhoIsKnownElsewhereIsRefusedAndStays) {
    Bridge bridge(refusing());
    bridge.send(1, station(7), broadcast);
    EXPECT_EQ(bridge.send(2, station(7), broadcast), "moved_source");
    EXPECT_EQ(bridge.send(0, station(0), station(7)), "1");
    EXPECT_EQ(bridge.send(1, station(7), broadcast), "023");
    EXPECT_EQ(bridge.forwarding.fdb().moves(), 0U);
}

// Control gets the address, the port that keeps it and the port of arrival, once an epoch.
TEST(Moves, ThatAreRefusedAreNoted) {
    Bridge bridge(refusing());
    std::vector<RefusedMove> noted;
    const auto look = [&] {
        noted.clear();
        bridge.forwarding.take_refused_moves(
            [&](const RefusedMove& move) { noted.push_back(move); });
        return noted.size();
    };
    bridge.send(1, station(7), broadcast);
    EXPECT_EQ(look(), 0U);
    bridge.send(2, station(7), broadcast);
    bridge.send(2, station(7), broadcast);
    ASSERT_EQ(look(), 1U);
    EXPECT_EQ(noted[0].address(), station(7));
    EXPECT_EQ(noted[0].vlan(), 1);
    EXPECT_EQ(noted[0].family(), FormatFamily::ethernet);
    EXPECT_EQ(noted[0].known, 1);
    EXPECT_EQ(noted[0].port, 2);
    EXPECT_FALSE(noted[0].fixed);
    bridge.send(3, station(7), broadcast);
    bridge.send(2, station(7), broadcast, 1, 0, Fdb::epoch_of(500_ms));
    EXPECT_EQ(look(), 2U);
}

TEST(Moves, AreAllowedOnceTheEntryHasAged) {
    Bridge bridge(refusing());
    bridge.send(1, station(7), broadcast, 1, 0, Fdb::epoch_of(0_s));
    sweep(bridge, 500_ms);
    EXPECT_EQ(bridge.send(2, station(7), broadcast, 1, 0, Fdb::epoch_of(500_ms)), "moved_source");
    sweep(bridge, 1500_ms);
    EXPECT_EQ(bridge.send(2, station(7), broadcast, 1, 0, Fdb::epoch_of(1500_ms)), "013");
}

TEST(Moves, AreAllowedOnceTheLinkIsLostOrThePortFlushed) {
    Bridge bridge(refusing());
    bridge.send(1, station(7), broadcast);
    bridge.links = 0b1101;
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.send(2, station(7), broadcast), "03");
    bridge.forwarding.flush_orders().port(2);
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.send(3, station(7), broadcast), "02");
}

TEST(Moves, AreRefusedToOtherWorkersToo) {
    Bridge bridge(refusing(2));
    bridge.send(0, station(7), broadcast);
    EXPECT_EQ(bridge.send(1, station(7), broadcast, 1, 1), "moved_source");
}

// Both workers learned the address before either heard of the other's entry: worker 0 keeps its
// own.
TEST(Moves, AreRefusedInWhatWasSeenMeanwhile) {
    Bridge bridge(refusing(2));
    EXPECT_EQ(bridge.send(1, station(7), broadcast, 1, 1), "023");
    EXPECT_EQ(bridge.send(0, station(7), broadcast), "123");
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.send(2, station(2), station(7)), "0");
    EXPECT_EQ(bridge.forwarding.fdb().moves(), 0U);
}

// --- sticky ports --------------------------------------------------------------------------------

Settings sticky(uint8_t workers = 1) {
    return with(workers, [](Settings& settings) {
        settings.ports[1].sticky = true;
        settings.fdb.ageing = 1_s;
    });
}

TEST(Sticky, WhoWasLearnedThereNeitherMovesNorAges) {
    Bridge bridge(sticky());
    bridge.send(1, station(7), broadcast);
    bridge.send(2, station(8), broadcast);
    EXPECT_EQ(bridge.send(2, station(7), broadcast), "moved_source");
    EXPECT_EQ(bridge.send(3, station(8), broadcast), "012");  // elsewhere as ever
    sweep(bridge, 100_s);
    EXPECT_EQ(bridge.send(0, station(0), station(7)), "1");
    EXPECT_EQ(bridge.send(0, station(0), station(8)), "123");
}

TEST(Sticky, MayBeMovedToFromAnOrdinaryPort) {
    Bridge bridge(sticky());
    bridge.send(2, station(7), broadcast);
    EXPECT_EQ(bridge.send(1, station(7), broadcast), "023");
    EXPECT_EQ(bridge.send(2, station(7), broadcast), "moved_source");
}

TEST(Sticky, OutlastsTheLinkAndGoesWithAFlush) {
    Bridge bridge(sticky());
    bridge.send(1, station(7), broadcast);
    bridge.links = 0b1101;
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.send(0, station(0), station(7)), "no_output");
    EXPECT_EQ(bridge.send(2, station(7), broadcast), "moved_source");
    bridge.forwarding.flush_orders().port(1);
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.send(2, station(7), broadcast), "03");
}

TEST(Sticky, EndsWithTheSetting) {
    Bridge bridge(sticky());
    bridge.send(1, station(7), broadcast);
    Settings settings = sticky();
    settings.ports[1].sticky = false;
    bridge.forwarding.shard(0).adopt(settings);
    EXPECT_EQ(bridge.send(2, station(7), broadcast), "013");
}

TEST(Sticky, HoldsAgainstWhatOtherWorkersSee) {
    Bridge bridge(sticky(2));
    bridge.send(1, station(7), broadcast, 1, 1);
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.send(3, station(7), broadcast, 1, 1), "moved_source");
    EXPECT_EQ(bridge.send(2, station(7), broadcast, 1, 0), "moved_source");
}

// --- VLANs that do not learn ---------------------------------------------------------------------

TEST(Unlearned, NobodyIsKnownInSuchAVlan) {
    Bridge bridge(with(2, [](Settings& settings) { settings.vlan.unlearned[10] = true; }));
    bridge.send(2, station(2), broadcast, 10);
    bridge.send(3, station(3), broadcast, 10, 1);
    bridge.send(2, station(2), broadcast, 11);
    bridge.forwarding.housekeep(bridge.links, 0_s);
    EXPECT_EQ(bridge.send(0, station(0), station(2), 10), "123");
    EXPECT_EQ(bridge.send(0, station(0), station(3), 10), "123");
    EXPECT_EQ(bridge.send(0, station(0), station(2), 11), "2");
}

TEST(Unlearned, StaticEntriesLeadTheWay) {
    Bridge bridge(with(1, [](Settings& settings) {
        settings.vlan.unlearned[10] = true;
        settings.fdb.static_entries = {{.vlan = 10, .address = station(3), .port = 3}};
    }));
    EXPECT_EQ(bridge.send(0, station(0), station(3), 10), "3");
    EXPECT_EQ(bridge.send(1, station(3), station(0), 10), "static_source");
}

// Addresses that were known when the setting came are used until they have aged.
TEST(Unlearned, WhatWasKnownAges) {
    Settings settings = with(1, [](Settings& of) { of.fdb.ageing = 1_s; });
    Bridge bridge(settings);
    bridge.send(2, station(2), broadcast, 10, 0, Fdb::epoch_of(0_s));
    settings.vlan.unlearned[10] = true;
    bridge.forwarding.shard(0).adopt(settings);
    bridge.send(2, station(2), broadcast, 10, 0, Fdb::epoch_of(900_ms));
    sweep(bridge, 500_ms);
    EXPECT_EQ(bridge.send(0, station(0), station(2), 10), "2");
    sweep(bridge, 1500_ms);
    EXPECT_EQ(bridge.send(0, station(0), station(2), 10), "123");
}

}  // namespace
}  // namespace sluice

#include "control/evpn/network.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <variant>

#include "tests/unit/control/evpn/bed.h"

namespace sluice::control::evpn {
namespace {

using namespace literals;
using test::station;

TEST(EvpnNetworkStale, WhatADumpRepeatsIsNoNews) {
    Bed bed;
    bed.remote(station(1), left);
    bed.pass(20_ms);
    bed.learn(station(1));
    EXPECT_EQ(bed.kernel_changes(), "+5");
    EXPECT_TRUE(bed.dump([&] { bed.remote(station(1), left); }));
    bed.pass(20_ms);
    EXPECT_EQ(bed.where(station(1)), "-");
    bed.remote(station(1), left);
    bed.pass(20_ms);
    EXPECT_EQ(bed.where(station(1)), "2") << "the daemon says it again";
}

TEST(EvpnNetworkStale, WhatIsTakenAwayGoesAfterASecondWithoutMore) {
    Bed bed;
    bed.flood(left);
    bed.flood(right);
    bed.remote(station(1), left);
    bed.pass(20_ms);
    bed.remote(station(1), left, true);
    bed.pass(500_ms);
    EXPECT_EQ(bed.where(station(1)), "2");
    EXPECT_EQ(bed.network.counts().stale, 1U);
    bed.pass(500_ms);
    EXPECT_EQ(bed.where(station(1)), "");
    EXPECT_EQ(bed.network.counts().stale, 0U);
}

TEST(EvpnNetworkStale, WithoutAnyVtepWhatWasThereStaysForTheGraceTime) {
    Bed bed;
    bed.flood(left);
    bed.flood(right);
    bed.remote(station(1), left);
    bed.remote(station(2), right);
    bed.pass(20_ms);
    // The deletions that bgpd makes when it ends.
    bed.remote(station(1), left, true);
    bed.remote(station(2), right, true);
    bed.flood(left, true);
    bed.flood(right, true);
    bed.pass(100_s);
    EXPECT_EQ(bed.where(station(1)), "2");
    EXPECT_EQ(bed.network.flooded(), only(2) | only(3));
    EXPECT_EQ(bed.network.counts().stale, 4U);
    bed.flood(left);
    bed.remote(station(1), left);
    bed.pass(20_s);
    EXPECT_EQ(bed.where(station(1)), "2");
    EXPECT_EQ(bed.where(station(2)), "");
    EXPECT_EQ(bed.network.flooded(), only(2));
    EXPECT_EQ(bed.network.counts().stale, 0U);
}

TEST(EvpnNetworkStale, WithoutAGraceTimeAllGoesAtOnce) {
    Bed bed(0_s);
    bed.flood(left);
    bed.remote(station(1), left);
    bed.pass(20_ms);
    bed.remote(station(1), left, true);
    bed.flood(left, true);
    bed.pass(0_ms);
    EXPECT_EQ(bed.where(station(1)), "");
    EXPECT_EQ(bed.network.flooded(), 0U);
    bed.learn(station(2));
    bed.bridge(station(2), 5);
    EXPECT_EQ(bed.kernel_changes(), "+5");
    bed.learn(station(3));  // and the kernel has not confirmed it yet
    EXPECT_EQ(bed.kernel_changes(), "+5");
    bed.network.stop(bed.effects);
    EXPECT_EQ(bed.kernel_changes(), "-5-5");
}

TEST(EvpnNetworkStale, ABridgeThatGoesIsAsIfAllWereTakenAway) {
    Bed bed;
    bed.flood(left);
    bed.remote(station(1), left);
    bed.pass(20_ms);
    bed.network.set_bridge({}, bed.now);
    bed.learn(station(2));
    EXPECT_EQ(bed.kernel_changes(), "") << "there is nobody to tell";
    bed.pass(119_s);
    EXPECT_EQ(bed.where(station(1)), "2");
    bed.pass(1_s);
    EXPECT_EQ(bed.where(station(1)), "");
    EXPECT_EQ(bed.network.flooded(), 0U);
}

TEST(EvpnNetworkStale, WhatADumpDoesNotHaveWasTakenAway) {
    Bed bed;
    bed.flood(left);
    bed.flood(right);
    bed.remote(station(1), left);
    bed.remote(station(2), left);
    bed.pass(20_ms);
    const auto says = [&] {
        bed.flood(left);
        bed.remote(station(1), left);
        bed.bridge(station(2), 4);
    };
    EXPECT_FALSE(bed.dump(says)) << "it may have been skipped";
    bed.pass(Network::withdrawal_delay);
    EXPECT_EQ(bed.where(station(2)), "2");
    EXPECT_EQ(bed.network.flooded(), only(2) | only(3));
    EXPECT_TRUE(bed.dump(says));
    bed.pass(Network::withdrawal_delay);
    EXPECT_EQ(bed.where(station(1)), "2");
    EXPECT_EQ(bed.where(station(2)), "");
    EXPECT_EQ(bed.network.flooded(), only(2));
}

TEST(EvpnNetworkStale, LocalOnesFromBeforeStayForTheGraceTime) {
    Bed bed;
    bed.bridge(station(1), 5);
    bed.bridge(station(2), 5);
    bed.pass(10_s);
    bed.learn(station(2));
    bed.fdb.clear();
    bed.pass(1_s);
    EXPECT_EQ(bed.kernel_changes(), "-5") << "who was heard since, and aged";
    bed.bridge(station(2), 5, true);
    bed.pass(109_s);
    EXPECT_EQ(bed.kernel_changes(), "-5");
}

TEST(EvpnNetworkStale, WhatWasWrittenBeforeTheDaemonBeganIsSweptByADump) {
    Bed bed;
    bed.flood(left);
    bed.flood(right);
    bed.remote(station(1), left);
    bed.remote(station(2), left);
    bed.learn(station(3));
    bed.bridge(station(3), 5);
    bed.pass(20_ms);
    EXPECT_EQ(bed.kernel_changes(), "+5");
    bed.daemon_began = bed.now;
    bed.network.daemon_began(bed.now);
    bed.pass(119_s);
    EXPECT_FALSE(bed.network.takes_dump_wish());
    bed.pass(1_s);
    EXPECT_TRUE(bed.network.takes_dump_wish());
    EXPECT_FALSE(bed.network.takes_dump_wish()) << "once";
    EXPECT_EQ(bed.kernel_changes(), "") << "nothing is removed to find out";
    EXPECT_TRUE(bed.dump([&] {
        bed.flood(left);
        bed.flood(right);
        bed.remote(station(1), left, false, 110_s);  // the new daemon has written it again
        bed.remote(station(2), left, false, 200_s);
        bed.bridge(station(3), 5);
    }));
    bed.pass(20_ms);
    EXPECT_EQ(bed.kernel_changes(), "-4s-4s-4s-4") << "two VTEPs, and one address of two";
    bed.flood(left, true);
    bed.flood(right, true);
    bed.remote(station(2), left, true);
    bed.flood(left);
    EXPECT_EQ(bed.network.flooded(), only(2) | only(3)) << "nothing is missed meanwhile";
    EXPECT_EQ(bed.where(station(2)), "2");
    bed.pass(Network::withdrawal_delay);
    EXPECT_EQ(bed.network.flooded(), only(2));
    EXPECT_EQ(bed.where(station(1)), "2");
    EXPECT_EQ(bed.where(station(2)), "");
    EXPECT_EQ(bed.where(station(3)), "-");
    EXPECT_EQ(bed.network.counts().sweeps, 1U);
}

TEST(EvpnNetworkStale, ADaemonThatRanBeforeThisSwitchKeepsItsAddresses) {
    Bed bed;
    const auto says = [&](Nanos age) {
        return [&bed, age] {
            bed.flood(left);
            bed.remote(station(1), left, false, age);
        };
    };
    bed.daemon_began = bed.now - 1000_s;
    EXPECT_TRUE(bed.dump(says(900_s)));
    bed.pass(120_s);
    EXPECT_TRUE(bed.network.takes_dump_wish());
    EXPECT_TRUE(bed.dump(says(1020_s)));
    bed.pass(20_ms);
    EXPECT_EQ(bed.kernel_changes(), "-4s") << "the VTEP, which every daemon writes again";
    EXPECT_EQ(bed.where(station(1)), "2");
}

TEST(EvpnNetworkStale, NoAddressIsSweptWhereNobodyKnowsWhenTheDaemonBegan) {
    Bed bed;
    bed.network.daemon_began(bed.now);
    bed.pass(120_s);
    EXPECT_TRUE(bed.dump([&] { bed.remote(station(1), left, false, 5000_s); }));
    bed.pass(20_ms);
    EXPECT_EQ(bed.kernel_changes(), "");
    EXPECT_EQ(bed.where(station(1)), "2");
}

TEST(EvpnNetworkStale, WhatIsTakenAwayWhileMoreIsStays) {
    Bed bed;
    bed.flood(left);
    for (unsigned n = 0; n < 30; ++n) bed.remote(station(n), left);
    bed.pass(20_ms);
    for (unsigned n = 0; n < 20; ++n) {  // as bgpd ends: ten seconds
        bed.remote(station(n), left, true);
        bed.pass(500_ms);
    }
    EXPECT_EQ(bed.where(station(0)), "2");
    bed.flood(left, true);
    bed.pass(100_s);
    EXPECT_EQ(bed.where(station(0)), "2");
    // No longer than so, where it never ends.
    bed.flood(left);
    for (unsigned n = 0; n < 30; ++n) bed.remote(station(n), left);
    for (unsigned n = 0; n < 24; ++n) {
        bed.remote(station(n), left, true);
        bed.pass(500_ms);
    }
    EXPECT_EQ(bed.where(station(0)), "");
    EXPECT_EQ(bed.where(station(23)), "2");
}

TEST(EvpnNetworkStale, RemoteOnesFromBeforeAreSweptOnce) {
    Bed bed;
    bed.daemon_began = bed.now;
    const auto old = [&] {
        bed.flood(left);
        bed.remote(station(1), left, false, 500_s);
    };
    EXPECT_TRUE(bed.dump(old));
    bed.pass(120_s);
    EXPECT_TRUE(bed.network.takes_dump_wish());
    EXPECT_EQ(bed.kernel_changes(), "");
    EXPECT_TRUE(bed.dump(old));
    bed.pass(20_ms);
    EXPECT_EQ(bed.kernel_changes(), "-4s-4s-4");
    EXPECT_TRUE(bed.dump(old));
    bed.pass(500_s);
    EXPECT_FALSE(bed.network.takes_dump_wish());
    EXPECT_EQ(bed.kernel_changes(), "") << "only by the first";
}

TEST(EvpnNetworkStale, ADaemonThatEndsJustAfterASweepLeavesAGraceTime) {
    Bed bed;
    const auto all = [&] {
        bed.flood(left);
        bed.remote(station(1), left, false, 10_s);
    };
    all();
    bed.daemon_began = bed.now;
    bed.network.daemon_began(bed.now);
    bed.pass(120_s);
    EXPECT_TRUE(bed.dump(all));
    bed.pass(20_ms);
    EXPECT_EQ(bed.kernel_changes(), "-4s") << "the VTEP";
    bed.flood(left, true);
    bed.flood(left);  // the daemon's, again
    bed.remote(station(1), left, true);
    bed.flood(left, true);
    bed.pass(119_s);
    EXPECT_EQ(bed.network.flooded(), only(2));
    EXPECT_EQ(bed.where(station(1)), "2");
    bed.pass(2_s);
    EXPECT_EQ(bed.network.flooded(), 0U);
    EXPECT_EQ(bed.where(station(1)), "");
}

TEST(EvpnNetworkStale, NothingIsSweptWhileNobodyCanPutItBack) {
    Bed bed;
    const auto old = [&] {
        bed.flood(left);
        bed.remote(station(1), left, false, 500_s);
    };
    old();
    bed.daemon_began = bed.now;
    bed.network.daemon_began(bed.now);
    bed.has_daemon = false;
    bed.pass(120_s);
    bed.has_daemon = true;
    bed.pass(120_s);
    EXPECT_FALSE(bed.network.takes_dump_wish());
    bed.network.daemon_began(bed.now);
    bed.pass(120_s);
    EXPECT_TRUE(bed.dump(old));
    bed.pass(20_ms);
    EXPECT_EQ(bed.kernel_changes(), "-4s-4s-4");
    EXPECT_EQ(bed.network.counts().sweeps, 1U);
}

TEST(EvpnNetworkStale, ASweepWaitsForWhatItTook) {
    Bed bed(120_s, 4000);
    const auto old = [&] {
        bed.flood(left);
        for (unsigned n = 0; n < 3000; ++n) bed.remote(station(n), left, false, 500_s);
    };
    old();
    bed.pass(20_ms);
    bed.daemon_began = bed.now;
    bed.network.daemon_began(bed.now);
    bed.pass(120_s);
    EXPECT_TRUE(bed.dump(old));
    std::size_t swept = 0;
    for (int turn = 0; turn < 40; ++turn) {
        bed.now += 20_ms;
        bed.network.proceed(bed.now, bed.effects);
        for (const Octets& octets : std::exchange(bed.said, {})) {
            for (const Message& message : read_messages(octets)) {
                const auto& entry = std::get<Entry>(message);
                if (!entry.self || entry.address == MacAddress{}) continue;
                bed.remote(entry.address, left, true);
                ++swept;
            }
        }
    }
    EXPECT_GE(swept, Network::most_swept);
    EXPECT_LT(swept, Network::most_swept + Network::swept_a_turn);
}

}  // namespace
}  // namespace sluice::control::evpn

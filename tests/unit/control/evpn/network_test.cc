#include "control/evpn/network.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/control/evpn/bed.h"

namespace sluice::control::evpn {
namespace {

using namespace literals;
using test::station;

TEST(EvpnNetwork, BindsWhatTheBridgeHasAtTheDeviceToTheTunnelOfItsVtep) {
    Bed bed;
    bed.bridge(station(1), 4);
    bed.pass(20_ms);
    EXPECT_EQ(bed.where(station(1)), "");
    bed.device(station(1), left);
    bed.pass(20_ms);
    EXPECT_EQ(bed.where(station(1)), "2");
    bed.device(station(1), right);
    bed.pass(20_ms);
    EXPECT_EQ(bed.where(station(1)), "3");
    EXPECT_EQ(bed.network.counts().remote, 1U);
    EXPECT_EQ(bed.network.vteps().at(right).addresses, 1U);
    EXPECT_FALSE(bed.network.vteps().contains(left));
}

TEST(EvpnNetwork, FloodsToThoseThatAreListed) {
    Bed bed;
    EXPECT_EQ(bed.network.flooded(), 0U);
    bed.flood(left);
    bed.flood(stranger);
    bed.remote(station(1), right);
    EXPECT_EQ(bed.network.flooded(), only(2));
    bed.flood(right);
    EXPECT_EQ(bed.network.flooded(), only(2) | only(3));
    bed.flood(left, true);
    bed.pass(Network::withdrawal_delay);
    EXPECT_EQ(bed.network.flooded(), only(3));
}

TEST(EvpnNetwork, APortToManyHasEveryVtepAndIsToldWhoIsBehindWhich) {
    Bed bed(Nanos(120'000'000'000), 100, PortIndex{5});
    bed.flood(left);
    bed.flood(stranger);
    bed.remote(station(7), left);
    bed.pass(0_s);
    EXPECT_EQ(bed.where(station(7)), "5");
    EXPECT_EQ(bed.behind.at(station(7)), left);
    EXPECT_EQ(bed.network.flooded(), only(5));
    EXPECT_EQ(bed.network.tunnel_to(stranger), 5) << "whoever it is";
    bed.device(station(7), stranger);
    bed.pass(0_s);
    EXPECT_EQ(bed.where(station(7)), "5");
    EXPECT_EQ(bed.behind.at(station(7)), stranger) << "it has moved";
    bed.bridge(station(7), 5);  // here
    bed.learn(station(7));
    bed.pass(0_s);
    EXPECT_EQ(bed.behind.at(station(7)), std::nullopt);
    bed.flood(left, true);
    bed.flood(stranger, true);
    bed.pass(130_s);
    EXPECT_EQ(bed.network.flooded(), 0U);
}

TEST(EvpnNetwork, WritesWhatIsLearnedToTheKernel) {
    Bed bed;
    bed.learn(station(1));
    EXPECT_EQ(bed.kernel_changes(), "+5");
    bed.learn(station(1));
    EXPECT_EQ(bed.kernel_changes(), "") << "not again before the kernel had the time";
    bed.bridge(station(1), 5);
    bed.pass(2_s);
    bed.learn(station(1));
    EXPECT_EQ(bed.kernel_changes(), "");
    EXPECT_EQ(bed.network.counts().local, 1U);
    bed.learn(station(1), true);
    EXPECT_EQ(bed.kernel_changes(), "+5") << "it does not move any more";
    bed.bridge(station(1), 5, false, true);
    bed.pass(2_s);
    bed.learn(station(1), true);
    EXPECT_EQ(bed.kernel_changes(), "");
    bed.learn(station(1));
    EXPECT_EQ(bed.kernel_changes(), "+5") << "it moves again, as one that a process before wrote";
}

TEST(EvpnNetwork, AHostThatTalksOnIsAMoveHere) {
    for (const Ipv4Address vtep : {left, stranger}) {
        Bed bed;
        bed.is_quick = false;
        bed.remote(station(1), vtep);
        bed.network.proceed(bed.now, bed.effects);
        bed.learn(station(1));
        EXPECT_EQ(bed.kernel_changes(), "") << "as it was before the order";
        bed.carry_out();
        bed.learn(station(1));  // before anybody looked
        bed.pass(20_ms);
        bed.learn(station(1));
        EXPECT_EQ(bed.kernel_changes(), "+5");
        EXPECT_TRUE(bed.orders.empty());
    }
}

TEST(EvpnNetwork, WhatTheKernelHadAlreadyItAnswers) {
    Bed bed;
    bed.learn(station(1));
    EXPECT_EQ(bed.kernel_changes(), "+5");
    bed.network.receive(Answer{1, 0}, bed.now);
    EXPECT_EQ(bed.network.counts().local, 1U);
    bed.pass(2_s);
    bed.learn(station(1));
    EXPECT_EQ(bed.kernel_changes(), "");
    // Notifications received after the request are newer than its answer; an error says nothing.
    bed.learn(station(2));
    bed.remote(station(2), left);
    bed.network.receive(Answer{2, 0}, bed.now);
    bed.learn(station(3));
    bed.network.receive(Answer{3, 16}, bed.now);
    EXPECT_EQ(bed.network.counts().local, 1U);
    EXPECT_EQ(bed.network.counts().remote, 1U);
}

TEST(EvpnNetwork, AsksAgainWhatTheKernelDidNotDo) {
    Bed bed;
    bed.learn(station(1));
    EXPECT_EQ(bed.kernel_changes(), "+5");
    bed.pass(Network::write_interval);
    bed.learn(station(1));
    EXPECT_EQ(bed.kernel_changes(), "+5");
}

TEST(EvpnNetwork, TakesBackWhatHasAged) {
    Bed bed;
    bed.learn(station(1));
    bed.bridge(station(1), 5);
    bed.pass(2_s);
    EXPECT_EQ(bed.kernel_changes(), "+5");
    bed.fdb.clear();
    bed.network.proceed(bed.now, bed.effects);
    EXPECT_EQ(bed.kernel_changes(), "") << "it may have been missed";
    bed.network.proceed(bed.now, bed.effects);
    EXPECT_EQ(bed.kernel_changes(), "-5");
    bed.bridge(station(1), 5, true);
    bed.pass(2_s);
    EXPECT_EQ(bed.network.counts().local, 0U);
    EXPECT_EQ(bed.kernel_changes(), "");
}

TEST(EvpnNetwork, AMoveAwayIsLearnedAndOneHereAnnounced) {
    Bed bed;
    bed.learn(station(1));
    bed.bridge(station(1), 5);
    bed.remote(station(1), left);
    bed.network.see_local(station(1), bed.fdb[station(1)], bed.now, bed.effects);
    bed.pass(2_s);
    EXPECT_EQ(bed.where(station(1)), "2");
    EXPECT_EQ(bed.kernel_changes(), "+5") << "what the FDB does not have yet is no move";
    bed.learn(station(1));
    EXPECT_EQ(bed.kernel_changes(), "+5");
    bed.bridge(station(1), 5);  // the device keeps its entry for it
    bed.pass(2_s);
    EXPECT_EQ(bed.where(station(1)), "-");
    EXPECT_EQ(bed.network.counts().remote, 0U);
    bed.bridge(station(1), 4);
    bed.pass(20_ms);
    EXPECT_EQ(bed.where(station(1)), "2") << "the daemon knows better";
}

TEST(EvpnNetwork, AMoveThatTheDaemonTakesBackIsNotFoughtOver) {
    Bed bed;
    bed.remote(station(1), left);
    bed.pass(20_ms);
    std::string kernel_changes;
    for (int turn = 0; turn < 50; ++turn) {  // a second
        bed.learn(station(1));
        if (const std::string now = bed.kernel_changes(); !now.empty()) {
            kernel_changes += now;
            bed.bridge(station(1), 5);
            bed.remote(station(1), left);
        }
        bed.pass(20_ms);
    }
    EXPECT_EQ(kernel_changes, "+5");
}

TEST(EvpnNetwork, BehindAVtepWithoutATunnelItIsNowhere) {
    Bed bed;
    bed.learn(station(1));
    bed.bridge(station(1), 5);
    bed.remote(station(1), stranger);
    bed.pass(20_ms);
    EXPECT_EQ(bed.where(station(1)), "");
    EXPECT_EQ(bed.network.vteps().at(stranger).addresses, 1U);
    EXPECT_FALSE(bed.network.tunnel_to(stranger));
}

TEST(EvpnNetwork, OrdersThatFindNoRoomAreGivenAgain) {
    Bed bed;
    bed.has_room = false;
    bed.remote(station(1), left);
    bed.pass(20_ms);
    EXPECT_EQ(bed.where(station(1)), "");
    bed.has_room = true;
    bed.pass(20_ms);
    EXPECT_EQ(bed.where(station(1)), "2");
    bed.fdb.clear();  // whatever did that
    bed.pass(Network::retry);
    EXPECT_EQ(bed.where(station(1)), "2");
}

TEST(EvpnNetwork, WhatIsStaticStaysAndDoesNotMove) {
    Bed bed;
    bed.learn(station(1), true);
    bed.remote(station(1), left);
    bed.pass(2_s);
    EXPECT_EQ(bed.where(station(1)), "-");
    bed.fdb.clear();
    bed.pass(Network::retry);
    EXPECT_EQ(bed.where(station(1)), "2");
}

TEST(EvpnNetwork, WhatIsForgottenLeavesItsRoom) {
    Bed bed;
    bed.remote(station(1), left);
    bed.learn(station(2));
    bed.pass(20_ms);
    EXPECT_EQ(bed.capacity.used, 2U);
    bed.remote(station(1), left, true);
    bed.pass(120_s);
    EXPECT_EQ(bed.capacity.used, 0U);
}

TEST(EvpnNetwork, KnowsNoMoreThanThereIsRoomFor) {
    Bed bed(120_s, 16);
    for (unsigned n = 0; n < 15; ++n) bed.remote(station(n), left);
    for (unsigned n = 20; n < 25; ++n) bed.learn(station(n));
    bed.pass(20_ms);
    EXPECT_EQ(bed.network.counts().remote, 14U) << "an eighth is for local ones";
    EXPECT_EQ(bed.network.counts().left_out, 1U) << "once, though two entries say it";
    EXPECT_EQ(bed.capacity.used, 16U);
    for (uint32_t n = 0; n < 2 * Network::most_vteps; ++n) bed.flood({0x0A00'0001 + n});
    EXPECT_EQ(bed.network.vteps().size(), Network::most_vteps);
}

// Many addresses, as from a station that invents them.
TEST(EvpnNetwork, LocalAddressesKeepNoRemoteOneOut) {
    Bed bed(120_s, 16);
    for (unsigned n = 100; n < 150; ++n) bed.learn(station(n));
    for (unsigned n = 0; n < 14; ++n) bed.remote(station(n), left);
    bed.pass(20_ms);
    EXPECT_EQ(bed.network.counts().remote, 14U);
    EXPECT_EQ(bed.network.counts().left_out, 0U);
    EXPECT_EQ(bed.capacity.local, 16U);
    EXPECT_EQ(bed.where(station(13)), "2");
}

TEST(EvpnNetwork, WhatWasLeftOutIsAskedForOnceThereIsRoom) {
    Bed bed(120_s, 16);
    for (unsigned n = 0; n < 16; ++n) bed.remote(station(n), left);
    bed.remote(station(15), left);
    EXPECT_EQ(bed.network.counts().left_out, 2U) << "each once, however often it is said";
    bed.pass(Network::retry);
    EXPECT_FALSE(bed.network.takes_dump_wish()) << "there is no room";
    bed.remote(station(0), left, true);
    bed.pass(120_s);
    bed.pass(20_ms);
    EXPECT_TRUE(bed.network.takes_dump_wish());
    bed.pass(20_ms);
    EXPECT_FALSE(bed.network.takes_dump_wish()) << "not at every turn";
    bed.dump([&] {
        for (unsigned n = 1; n < 16; ++n) bed.remote(station(n), left);
    });
    bed.pass(20_ms);
    EXPECT_EQ(bed.network.counts().left_out, 1U);
    EXPECT_EQ(bed.network.counts().remote, 14U);
    bed.remote(station(15), left, true);
    EXPECT_EQ(bed.network.counts().left_out, 0U) << "it falls with what is gone";
}

TEST(EvpnNetwork, AnAddressThatMovesCountsWhereItIs) {
    Bed bed(120_s, 16);
    bed.bridge(station(1), 5);
    EXPECT_EQ(bed.capacity.local, 1U);
    bed.remote(station(1), left);
    EXPECT_EQ(bed.capacity.local, 0U);
    EXPECT_EQ(bed.capacity.used, 1U);
    bed.bridge(station(1), 5);
    EXPECT_EQ(bed.capacity.local, 1U);
    bed.bridge(station(1), 5, true);
    bed.device(station(1), left, true);
    bed.pass(120_s);
    bed.pass(20_ms);
    EXPECT_EQ(bed.capacity.used, 0U);
    EXPECT_EQ(bed.capacity.local, 0U);
}

TEST(EvpnNetwork, LooksAtNothingThatIsNotItsOwn) {
    Bed bed;
    bed.network.receive(Entry{.interface = 8, .bridge = 9, .address = station(1)}, bed.now);
    bed.network.receive(Entry{.interface = 8, .self = true, .address = station(1), .vtep = left},
                        bed.now);
    bed.network.receive(
        Entry{.interface = 4, .bridge = 3, .permanent = true, .address = station(1)}, bed.now);
    bed.network.receive(Entry{.interface = 4, .bridge = 3, .address = {0x3333'0000'0001}}, bed.now);
    bed.remote(station(2), left);
    bed.bridge(station(2), 7);  // another port of the kernel's bridge
    bed.pass(2_s);
    EXPECT_EQ(bed.network.counts().remote, 0U);
    EXPECT_EQ(bed.where(station(2)), "");
    EXPECT_EQ(bed.kernel_changes(), "");
}

}  // namespace
}  // namespace sluice::control::evpn

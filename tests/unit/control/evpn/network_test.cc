#include "control/evpn/network.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/octets.h"

namespace sluice::control::evpn {
namespace {

using namespace literals;
using test::station;
using As = Known::As;

constexpr Ipv4Address left{0xC000'0202};
constexpr Ipv4Address right{0xC000'0203};
constexpr Ipv4Address stranger{0xC000'0209};

// A network, an FDB that does at once what is ordered, and what the kernel was told.
class Bed {
  public:
    explicit Bed(Nanos grace = 120_s, std::size_t most = 100)
        : network({.tunnels = {{left, 2}, {right, 3}}, .grace = grace, .most_addresses = most},
                  now) {
        network.set_mirror({.device = 4, .local = 5, .bridge = 3}, now);
    }

    // --- by the kernel
    void bridge(MacAddress address, uint32_t interface, bool removed = false) {
        network.hear({.removed = removed, .interface = interface, .bridge = 3, .address = address},
                     now);
    }
    void device(MacAddress address, Ipv4Address vtep, bool removed = false) {
        network.hear({.removed = removed,
                      .interface = 4,
                      .self = true,
                      .permanent = address == MacAddress{},
                      .address = address,
                      .vtep = vtep},
                     now);
    }
    void flood(Ipv4Address vtep, bool removed = false) { device({}, vtep, removed); }
    void remote(MacAddress address, Ipv4Address vtep, bool removed = false) {
        bridge(address, 4, removed);
        device(address, vtep, removed);
    }

    // --- by frames
    void learn(MacAddress address, bool stays = false) {
        fdb[address] = {.as = As::local, .stays = stays};
        network.see_local(address, fdb[address], now, effects);
    }

    void pass(Nanos time) {
        now += time;
        network.proceed(now, effects);
        network.proceed(now, effects);  // what was ordered is seen
    }
    // The port that an address is bound to, as a digit; `-` if it is known here, nothing if not.
    [[nodiscard]] std::string where(MacAddress address) const {
        const auto found = fdb.find(address);
        if (found == fdb.end()) return "";
        return found->second.as == As::local ? "-" : std::to_string(found->second.port);
    }
    // What the kernel was told since it was last asked: + or -, and the interface.
    [[nodiscard]] std::string told() {
        std::string words;
        for (const Octets& octets : said) {
            for (const Message& message : read_messages(octets)) {
                const auto& entry = std::get<Entry>(message);
                words += entry.removed ? '-' : '+';
                words += std::to_string(entry.interface);
                if (entry.self) words += 's';
            }
        }
        said.clear();
        return words;
    }

    Nanos now = 1000_s;
    std::map<MacAddress, Known> fdb;
    std::vector<Octets> said;
    bool has_room = true;
    Network network;
    Network::Effects effects{
        .look_up =
            [this](MacAddress address) {
                const auto found = fdb.find(address);
                return found == fdb.end() ? Known{} : found->second;
            },
        .order =
            [this](MacAddress address, RemoteOrder order) {
                if (!has_room) return false;
                const auto found = fdb.find(address);
                const bool is_local = found != fdb.end() && found->second.as == As::local;
                if (is_local && found->second.stays) return true;
                if (order.kind == RemoteOrder::Kind::bind) {
                    fdb[address] = {.as = As::remote, .port = order.port};
                } else if (order.kind == RemoteOrder::Kind::forget || !is_local) {
                    fdb.erase(address);
                }
                return true;
            },
        .tell_kernel = [this](const Octets& octets) { said.push_back(octets); }};
};

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
    bed.pass(Network::settling);
    EXPECT_EQ(bed.network.flooded(), only(3));
}

TEST(EvpnNetwork, TellsTheKernelOfWhatIsLearned) {
    Bed bed;
    bed.learn(station(1));
    EXPECT_EQ(bed.told(), "+5");
    bed.learn(station(1));
    EXPECT_EQ(bed.told(), "") << "not again before the kernel had the time";
    bed.bridge(station(1), 5);
    bed.pass(2_s);
    bed.learn(station(1));
    EXPECT_EQ(bed.told(), "");
    EXPECT_EQ(bed.network.counts().local, 1U);
    bed.learn(station(1), true);
    EXPECT_EQ(bed.told(), "+5") << "it does not move any more";
}

TEST(EvpnNetwork, AsksAgainWhatTheKernelDidNotDo) {
    Bed bed;
    bed.learn(station(1));
    EXPECT_EQ(bed.told(), "+5");
    bed.pass(Network::again);
    bed.learn(station(1));
    EXPECT_EQ(bed.told(), "+5");
}

TEST(EvpnNetwork, TakesBackWhatHasAged) {
    Bed bed;
    bed.learn(station(1));
    bed.bridge(station(1), 5);
    bed.pass(2_s);
    EXPECT_EQ(bed.told(), "+5");
    bed.fdb.clear();
    bed.network.proceed(bed.now, bed.effects);
    EXPECT_EQ(bed.told(), "") << "it may have been missed";
    bed.network.proceed(bed.now, bed.effects);
    EXPECT_EQ(bed.told(), "-5");
    bed.bridge(station(1), 5, true);
    bed.pass(2_s);
    EXPECT_EQ(bed.network.counts().local, 0U);
    EXPECT_EQ(bed.told(), "");
}

TEST(EvpnNetwork, AMoveAwayIsToldAndOneHereTells) {
    Bed bed;
    bed.learn(station(1));
    bed.bridge(station(1), 5);
    bed.remote(station(1), left);
    bed.network.see_local(station(1), bed.fdb[station(1)], bed.now, bed.effects);
    bed.pass(2_s);
    EXPECT_EQ(bed.where(station(1)), "2");
    EXPECT_EQ(bed.told(), "+5") << "what the FDB does not have yet is no move";
    bed.learn(station(1));
    EXPECT_EQ(bed.told(), "+5");
    bed.bridge(station(1), 5);  // what the device has of it stays
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
    std::string told;
    for (int turn = 0; turn < 50; ++turn) {  // a second
        bed.learn(station(1));
        if (const std::string now = bed.told(); !now.empty()) {
            told += now;
            bed.bridge(station(1), 5);
            bed.remote(station(1), left);
        }
        bed.pass(20_ms);
    }
    EXPECT_EQ(told, "+5");
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

TEST(EvpnNetwork, WhatIsTakenAwayGoesOnceItHasSettled) {
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

TEST(EvpnNetwork, WithoutAnyVtepWhatWasThereStaysForTheGraceTime) {
    Bed bed;
    bed.flood(left);
    bed.flood(right);
    bed.remote(station(1), left);
    bed.remote(station(2), right);
    bed.pass(20_ms);
    // As bgpd ends.
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

TEST(EvpnNetwork, WithoutAGraceTimeAllGoesAtOnce) {
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
    EXPECT_EQ(bed.told(), "+5");
    bed.network.stop(bed.effects);
    EXPECT_EQ(bed.told(), "-5");
}

TEST(EvpnNetwork, AMirrorThatGoesIsAsIfAllWereTakenAway) {
    Bed bed;
    bed.flood(left);
    bed.remote(station(1), left);
    bed.pass(20_ms);
    bed.network.set_mirror({}, bed.now);
    bed.learn(station(2));
    EXPECT_EQ(bed.told(), "") << "there is nobody to tell";
    bed.pass(119_s);
    EXPECT_EQ(bed.where(station(1)), "2");
    bed.pass(1_s);
    EXPECT_EQ(bed.where(station(1)), "");
    EXPECT_EQ(bed.network.flooded(), 0U);
}

TEST(EvpnNetwork, WhatAListingDoesNotHaveWasTakenAway) {
    Bed bed;
    bed.flood(left);
    bed.flood(right);
    bed.remote(station(1), left);
    bed.remote(station(2), left);
    bed.pass(20_ms);
    bed.network.begin_listing();
    bed.flood(left);
    bed.remote(station(1), left);
    bed.bridge(station(2), 4);
    bed.network.end_listing(bed.now);
    bed.pass(Network::settling);
    EXPECT_EQ(bed.where(station(1)), "2");
    EXPECT_EQ(bed.where(station(2)), "");
    EXPECT_EQ(bed.network.flooded(), only(2));
}

TEST(EvpnNetwork, LocalOnesFromBeforeStayForTheGraceTime) {
    Bed bed;
    bed.bridge(station(1), 5);
    bed.bridge(station(2), 5);
    bed.pass(10_s);
    bed.learn(station(2));
    bed.fdb.clear();
    bed.pass(1_s);
    EXPECT_EQ(bed.told(), "-5") << "who was heard since, and aged";
    bed.bridge(station(2), 5, true);
    bed.pass(109_s);
    EXPECT_EQ(bed.told(), "-5");
}

TEST(EvpnNetwork, ADaemonThatBeganAnewIsAskedByTakingAway) {
    Bed bed;
    bed.flood(left);
    bed.flood(right);
    bed.remote(station(1), left);
    bed.remote(station(2), left);
    bed.learn(station(3));
    bed.bridge(station(3), 5);
    bed.pass(20_ms);
    EXPECT_EQ(bed.told(), "+5");
    bed.network.daemon_began(bed.now);
    bed.pass(119_s);
    EXPECT_EQ(bed.told(), "");
    bed.pass(1_s);
    EXPECT_EQ(bed.told(), "-4s-4s-4s-4-4s-4");
    bed.flood(left, true);
    bed.flood(right, true);
    bed.remote(station(1), left, true);
    bed.remote(station(2), left, true);
    bed.flood(left);
    bed.remote(station(1), left);
    EXPECT_EQ(bed.network.flooded(), only(2) | only(3)) << "nothing is missed meanwhile";
    EXPECT_EQ(bed.where(station(2)), "2");
    bed.pass(Network::settling);
    EXPECT_EQ(bed.network.flooded(), only(2));
    EXPECT_EQ(bed.where(station(1)), "2");
    EXPECT_EQ(bed.where(station(2)), "");
    EXPECT_EQ(bed.where(station(3)), "-");
    EXPECT_EQ(bed.network.counts().sweeps, 1U);
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
    bed.pass(20_ms);
    EXPECT_EQ(bed.where(station(1)), "2");
}

TEST(EvpnNetwork, WhatIsStaticStaysAndDoesNotMove) {
    Bed bed;
    bed.learn(station(1), true);
    bed.remote(station(1), left);
    bed.pass(2_s);
    EXPECT_EQ(bed.where(station(1)), "-");
    bed.fdb.clear();
    bed.pass(20_ms);
    EXPECT_EQ(bed.where(station(1)), "2");
}

TEST(EvpnNetwork, KnowsNoMoreThanThereIsRoomFor) {
    Bed bed(120_s, 10);
    for (unsigned n = 0; n < 15; ++n) bed.remote(station(n), left);
    for (unsigned n = 20; n < 25; ++n) bed.learn(station(n));
    bed.pass(20_ms);
    EXPECT_EQ(bed.network.counts().remote, 10U);
    EXPECT_EQ(bed.network.counts().left_out, 15U);  // two entries of each, and what was learned
    for (uint32_t n = 0; n < 2 * Network::most_vteps; ++n) bed.flood({0x0A00'0001 + n});
    EXPECT_EQ(bed.network.vteps().size(), Network::most_vteps);
}

TEST(EvpnNetwork, LooksAtNothingThatIsNotItsOwn) {
    Bed bed;
    bed.network.hear({.interface = 8, .bridge = 9, .address = station(1)}, bed.now);
    bed.network.hear({.interface = 8, .self = true, .address = station(1), .vtep = left}, bed.now);
    bed.network.hear({.interface = 4, .bridge = 3, .permanent = true, .address = station(1)},
                     bed.now);
    bed.network.hear({.interface = 4, .bridge = 3, .address = {0x3333'0000'0001}}, bed.now);
    bed.remote(station(2), left);
    bed.bridge(station(2), 7);  // another port of the kernel's bridge
    bed.pass(2_s);
    EXPECT_EQ(bed.network.counts().remote, 0U);
    EXPECT_EQ(bed.where(station(2)), "");
    EXPECT_EQ(bed.told(), "");
}

}  // namespace
}  // namespace sluice::control::evpn

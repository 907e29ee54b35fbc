#include "control/evpn/neighbours.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tests/support/octets.h"

namespace sluice::control::evpn {
namespace {

using namespace literals;
using test::station;

constexpr Ipv4Address alice{0xC000'0201};
constexpr Ipv4Address bob{0xC000'0202};
constexpr uint32_t bridge = 3;

class EvpnNeighbours : public testing::Test {
  protected:
    explicit EvpnNeighbours(Nanos grace = 120_s) { begin(grace); }

    void begin(Nanos grace) {
        neighbours =
            std::make_unique<Neighbours>(Neighbours::Options{.vlan = 1,
                                                             .grace = grace,
                                                             .capacity = &capacity,
                                                             .capacity_here = &capacity_here,
                                                             .filter = &filter},
                                         now);
        neighbours->set_bridge(bridge);
    }
    // --- by the kernel
    void kernel(const IpAddress& ip, MacAddress mac, bool remote, bool router = false) {
        neighbours->receive({.interface = bridge,
                             .remote = remote,
                             .router = router,
                             .dumped = dumping,
                             .ip = ip,
                             .mac = mac});
    }
    void gone(const IpAddress& ip) {
        neighbours->receive({.removed = true, .interface = bridge, .ip = ip});
    }
    bool dump(const std::function<void()>& says) {
        neighbours->begin_dump();
        dumping = true;
        says();
        dumping = false;
        return neighbours->end_dump(now);
    }
    // --- by frames
    void here(MacAddress mac) { fdb[mac] = {.as = Known::As::local}; }
    void there(MacAddress mac) { fdb[mac] = {.as = Known::As::remote, .port = 2}; }
    void claim(const IpAddress& ip, MacAddress mac, std::optional<bool> router = {}) {
        neighbours->claim({ip, mac}, router, now);
    }
    void pass(Nanos time = 20_ms) {
        now += time;
        neighbours->proceed(now, effects);
    }
    // True if workers hand requests for the address to control.
    [[nodiscard]] bool is_asked(const IpAddress& ip) const {
        return filter.has(filter.answered(1, ip));
    }
    std::optional<MacAddress> answer(const IpAddress& ip, MacAddress asker = station(9)) {
        const auto found = neighbours->answer(ip, asker, effects);
        return found ? std::optional(found->mac) : std::nullopt;
    }
    [[nodiscard]] bool is_known(const IpAddress& ip, MacAddress mac, bool router = false) const {
        return filter.has(filter.known(1, ip, mac, router));
    }
    // Returns the writes to the kernel since the last call: + or -, and the last octet of the MAC.
    std::string kernel_changes() {
        std::string words;
        for (const Octets& octets : said) {
            for (const Message& message : read_messages(octets)) {
                const auto& about = std::get<Neighbour>(message);
                words += about.removed ? '-' : '+';
                if (!about.removed) words += std::to_string(about.mac.bits & 0xFF);
                if (about.router) words += 'r';
            }
        }
        said.clear();
        return words;
    }

    Nanos now{1'000'000'000'000};
    std::map<MacAddress, Known> fdb;
    std::vector<Octets> said;
    bool dumping = false;
    bool has_daemon = true;
    Network::Capacity capacity{.most = 100};
    Network::Capacity capacity_here{.most = 70};
    NeighbourFilter filter{128, 1};
    std::unique_ptr<Neighbours> neighbours;
    Neighbours::Effects effects{
        .look_up =
            [this](MacAddress mac) {
                const auto found = fdb.find(mac);
                return found == fdb.end() ? Known{} : found->second;
            },
        .send_to_kernel = [this](const Octets& octets) { said.push_back(octets); },
        .daemon_is_there = [this] { return has_daemon; }};
};

TEST_F(EvpnNeighbours, OneThatTheDaemonSaysAndTheFdbHasBehindATunnelIsAnsweredFor) {
    kernel(alice, station(1), true, true);
    pass();
    EXPECT_FALSE(is_asked(alice));
    EXPECT_FALSE(answer(alice)) << "nobody knows where its MAC is";
    there(station(1));
    pass();
    EXPECT_TRUE(is_asked(alice));
    EXPECT_EQ(answer(alice), station(1));
    EXPECT_TRUE(neighbours->answer(alice, station(9), effects)->router);
    EXPECT_FALSE(answer(bob));
    EXPECT_EQ(neighbours->counts().remote, 1U);
    neighbours->count_question(true);
    neighbours->count_question(false);
    EXPECT_EQ(neighbours->counts().suppressed, 1U);
    EXPECT_EQ(neighbours->counts().unanswered, 1U);
    EXPECT_EQ(kernel_changes(), "");
}

TEST_F(EvpnNeighbours, WhatIsTakenAwayIsNotAnsweredForAnyMore) {
    there(station(1));
    kernel(alice, station(1), true);
    pass();
    gone(alice);
    pass();
    EXPECT_FALSE(is_asked(alice));
    EXPECT_FALSE(answer(alice));
    EXPECT_EQ(capacity.used, 0U);
    kernel(alice, station(1), true);
    pass();
    fdb.clear();
    EXPECT_FALSE(answer(alice)) << "its MAC is gone";
    pass();
    EXPECT_FALSE(is_asked(alice));
}

TEST_F(EvpnNeighbours, OneWithAnotherMacIsThere) {
    there(station(1));
    there(station(2));
    kernel(alice, station(1), true);
    pass();
    kernel(alice, station(2), true);
    pass();
    EXPECT_EQ(answer(alice), station(2));
}

TEST_F(EvpnNeighbours, WhoAsksForItselfHasNoAnswer) {
    there(station(1));
    kernel(alice, station(1), true);
    pass();
    EXPECT_FALSE(answer(alice, station(1)));
}

TEST_F(EvpnNeighbours, WhatAHostSaysIsGivenToTheKernelOnceItsMacIsHere) {
    claim(alice, station(1), true);
    pass();
    EXPECT_EQ(kernel_changes(), "");
    here(station(1));
    claim(alice, station(1), true);
    pass();
    EXPECT_EQ(kernel_changes(), "+1r");
    EXPECT_FALSE(is_known(alice, station(1))) << "the kernel did not say so yet";
    kernel(alice, station(1), false, true);
    pass();
    EXPECT_TRUE(is_known(alice, station(1), true));
    EXPECT_FALSE(is_known(alice, station(1), false));
    EXPECT_FALSE(is_asked(alice));
    EXPECT_EQ(neighbours->counts().local, 1U);
    pass(10_s);
    EXPECT_EQ(kernel_changes(), "");
    gone(alice);
    pass();
    EXPECT_EQ(kernel_changes(), "+1r") << "it is here all the same";
}

TEST_F(EvpnNeighbours, ARouterIsOneUntilItSaysThatItIsNone) {
    here(station(1));
    claim(alice, station(1));  // as in a solicitation of its
    pass();
    EXPECT_EQ(kernel_changes(), "+1");
    kernel(alice, station(1), false);
    pass();
    EXPECT_TRUE(is_known(alice, station(1), false)) << "its advertisement is another word";
    claim(alice, station(1), true);
    pass(Neighbours::write_interval);
    EXPECT_EQ(kernel_changes(), "+1r");
    claim(alice, station(1));
    kernel(alice, station(1), false, true);
    pass(Neighbours::write_interval);
    EXPECT_EQ(kernel_changes(), "") << "who says nothing of it changes nothing";
    claim(alice, station(1), false);
    pass(Neighbours::write_interval);
    EXPECT_EQ(kernel_changes(), "+1");
}

TEST_F(EvpnNeighbours, WhatNobodySaysForLongIsTakenBackThoughItsMacIsHere) {
    here(station(1));
    claim(alice, station(1));
    pass();
    kernel(alice, station(1), false);
    pass();
    EXPECT_EQ(kernel_changes(), "+1");
    pass(Neighbours::fresh);
    EXPECT_FALSE(is_known(alice, station(1))) << "it is to be said again";
    claim(alice, station(1));
    pass();
    EXPECT_TRUE(is_known(alice, station(1)));
    pass(Neighbours::longest_unclaimed);
    EXPECT_EQ(kernel_changes(), "-");
}

TEST_F(EvpnNeighbours, HereAreNoMoreThanTheKernelHasRoomFor) {
    for (uint32_t n = 0; n < 80; ++n) {
        here(station(n));
        claim(Ipv4Address{0x0A00'0001 + n}, station(n));
    }
    EXPECT_EQ(capacity.used, 70U);
    EXPECT_EQ(neighbours->counts().left_out, 10U);
    fdb.clear();
    for (int n = 0; n < 3; ++n) pass();
    EXPECT_EQ(capacity_here.used, 0U);
}

TEST_F(EvpnNeighbours, AHostThatIsNotHereAnyMoreIsTakenBack) {
    here(station(1));
    claim(alice, station(1));
    pass();
    kernel(alice, station(1), false);
    pass();
    EXPECT_EQ(kernel_changes(), "+1");
    fdb.clear();
    pass(Neighbours::write_interval);
    EXPECT_EQ(kernel_changes(), "") << "that may be for an instant";
    pass();
    EXPECT_EQ(kernel_changes(), "-");
    EXPECT_FALSE(is_known(alice, station(1)));
    gone(alice);
    pass();
    EXPECT_EQ(capacity.used, 0U);
}

TEST_F(EvpnNeighbours, AHostThatMovesHereIsWrittenInPlaceOfTheRemoteOne) {
    there(station(1));
    kernel(alice, station(1), true);
    pass();
    here(station(1));
    claim(alice, station(1));
    pass();
    EXPECT_FALSE(is_asked(alice));
    EXPECT_EQ(kernel_changes(), "+1");
    kernel(alice, station(1), false);
    pass();
    EXPECT_TRUE(is_known(alice, station(1)));
    // And away: the daemon says so before the worker has bound it there.
    kernel(alice, station(1), true);
    pass();
    EXPECT_FALSE(is_known(alice, station(1))) << "who is here is to say so again";
    EXPECT_EQ(kernel_changes(), "");
    there(station(1));
    pass();
    EXPECT_EQ(answer(alice), station(1));
}

TEST_F(EvpnNeighbours, WhatASwitchBeforeAddedStaysForTheGraceTime) {
    here(station(2));
    EXPECT_TRUE(dump([&] {
        kernel(alice, station(1), false);
        kernel(bob, station(2), false);
    }));
    pass();
    EXPECT_TRUE(is_known(bob, station(2))) << "whose MAC is here is here";
    EXPECT_EQ(kernel_changes(), "");
    pass(121_s);
    EXPECT_EQ(kernel_changes(), "-");
}

TEST_F(EvpnNeighbours, WithoutAGraceTimeWhatWasAddedIsRemovedAtTheEnd) {
    here(station(1));
    claim(alice, station(1));
    pass();
    kernel(alice, station(1), false);
    pass();
    EXPECT_EQ(kernel_changes(), "+1");
    neighbours->stop(effects);
    EXPECT_EQ(kernel_changes(), "");
    begin(0_s);
    kernel(alice, station(1), false);
    neighbours->stop(effects);
    EXPECT_EQ(kernel_changes(), "-");
}

TEST_F(EvpnNeighbours, IsSweptOnceTheDaemonBeganAnew) {
    there(station(1));
    kernel(alice, station(1), true);
    here(station(2));
    kernel(bob, station(2), false);
    pass();
    neighbours->daemon_began(now);
    pass(119_s);
    EXPECT_EQ(kernel_changes(), "");
    pass(2_s);
    EXPECT_EQ(kernel_changes(), "-");
    has_daemon = false;
    neighbours->daemon_began(now);
    pass(121_s);
    EXPECT_EQ(kernel_changes(), "") << "nobody could write again";
}

TEST_F(EvpnNeighbours, IsSweptAfterAStartThatFindsRemoteOnes) {
    EXPECT_TRUE(dump([&] { kernel(alice, station(1), true); }));
    pass(121_s);
    EXPECT_EQ(kernel_changes(), "-");
}

TEST_F(EvpnNeighbours, WhatTwoDumpsLackIsGone) {
    there(station(1));
    kernel(alice, station(1), true);
    pass();
    EXPECT_FALSE(dump([] {}));
    pass();
    EXPECT_TRUE(is_asked(alice));
    EXPECT_TRUE(dump([] {}));
    pass();
    EXPECT_FALSE(is_asked(alice));
}

TEST_F(EvpnNeighbours, OfAnotherBridgeNothingIsRead) {
    there(station(1));
    kernel(alice, station(1), true);
    pass();
    neighbours->set_bridge(0);
    pass();
    EXPECT_FALSE(is_asked(alice));
    kernel(alice, station(1), true);
    pass();
    EXPECT_EQ(capacity.used, 0U);
}

TEST_F(EvpnNeighbours, OfOneStationAreNoMoreThanThereMayBe) {
    here(station(1));
    for (uint32_t n = 0; n < 2 * Neighbours::most_of_one; ++n) {
        claim(Ipv4Address{0x0A00'0001 + n}, station(1));
    }
    EXPECT_EQ(capacity.used, Neighbours::most_of_one);
    EXPECT_EQ(neighbours->counts().left_out, Neighbours::most_of_one);
    fdb.clear();
    for (int n = 0; n < 3; ++n) pass();
    EXPECT_EQ(capacity.used, 0U);
    here(station(1));
    claim(alice, station(1));
    EXPECT_EQ(capacity.used, 1U);
}

TEST_F(EvpnNeighbours, RemoteOnesLeaveRoomForLocalOnes) {
    for (uint32_t n = 0; n < 200; ++n) kernel(Ipv4Address{0x0A00'0001 + n}, station(1), true);
    EXPECT_EQ(capacity.used, 88U);
    here(station(2));
    claim(alice, station(2));
    EXPECT_EQ(capacity.used, 89U);
    EXPECT_EQ(neighbours->counts().left_out, 112U);
}

TEST_F(EvpnNeighbours, GroupsAndNobodyAreNoStations) {
    for (const IpAddress& ip : {IpAddress(Ipv4Address{}), IpAddress(Ipv4Address{0xE000'0001}),
                                IpAddress(Ipv4Address{0x7F00'0001}), IpAddress(Ipv6Address{}),
                                IpAddress(Ipv6Address{{0xFF, 2}})}) {
        claim(ip, station(1));
        kernel(ip, station(1), true);
    }
    claim(alice, {});
    claim(alice, broadcast_address);
    EXPECT_EQ(capacity.used, 0U);
}

}  // namespace
}  // namespace sluice::control::evpn

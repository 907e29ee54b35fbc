// What hosts say of IP addresses, and the answers in another's name.
#include "control/evpn/host_packets.h"

#include <gtest/gtest.h>

#include "control/neighbours/arp.h"
#include "control/neighbours/neighbour_discovery.h"
#include "tests/support/octets.h"

namespace sluice::control::evpn {
namespace {

using test::hex;
using test::ipv6_of;

constexpr MacAddress asker{0x0200'0000'0001};
constexpr MacAddress router{0x0200'0000'00FE};
constexpr Ipv4Address near{0xC000'0201};
constexpr Ipv4Address far{0xC000'02FE};

Octets request(Ipv4Address sender = near) {
    const auto frame = neighbours::write_arp({.operation = neighbours::Operation::request,
                                              .sender = {asker, sender},
                                              .target = {{}, far}},
                                             broadcast_address);
    return {frame.begin(), frame.end()};
}
Octets solicitation(const Ipv6Address& source = ipv6_of(1, 1)) {
    return neighbours::write_solicitation({.source = source,
                                           .target = ipv6_of(1, 0xFE),
                                           .mac = asker,
                                           .has_link_layer_address = source != Ipv6Address{}},
                                          std::nullopt);
}
Octets with_tags(Octets octets, std::string_view tags) {
    const Octets added = hex(tags);
    octets.insert(octets.begin() + 12, added.begin(), added.end());
    return octets;
}

TEST(EvpnQuestions, AreAnsweredInTheNameOfWhoIsAskedFor) {
    const auto host_packet = read_host_packet(request(), false);
    ASSERT_TRUE(host_packet && host_packet->says && host_packet->asks);
    EXPECT_EQ(host_packet->says->ip, IpAddress(near));
    EXPECT_EQ(host_packet->says->mac, asker);
    EXPECT_EQ(host_packet->asks, IpAddress(far));
    EXPECT_EQ(host_packet->from, asker);
    const Octets answer = answer_to(request(), false, {far, router});
    const auto arp = neighbours::read_arp(answer);
    ASSERT_TRUE(arp);
    EXPECT_EQ(arp->operation, neighbours::Operation::reply);
    EXPECT_EQ(arp->sender.mac, router);
    EXPECT_EQ(arp->sender.ip, far);
    EXPECT_EQ(arp->target.mac, asker);
    EXPECT_EQ(arp->target.ip, near);
    EXPECT_EQ(read_address(answer.data()), asker);
    EXPECT_EQ(read_address(&answer[6]), router);
}

TEST(EvpnQuestions, OfDiscoveryLikewise) {
    const auto host_packet = read_host_packet(solicitation(), false);
    ASSERT_TRUE(host_packet && host_packet->says && host_packet->asks);
    EXPECT_EQ(host_packet->says->ip, IpAddress(ipv6_of(1, 1)));
    EXPECT_EQ(host_packet->asks, IpAddress(ipv6_of(1, 0xFE)));
    for (const bool is_router : {false, true}) {
        const auto parsed = neighbours::read_advertisement(
            answer_to(solicitation(), false, {ipv6_of(1, 0xFE), router, is_router}));
        ASSERT_TRUE(parsed);
        EXPECT_EQ(parsed->target, ipv6_of(1, 0xFE));
        EXPECT_EQ(parsed->mac, router);
        EXPECT_EQ(parsed->router, is_router);
        EXPECT_TRUE(parsed->solicited);
    }
}

TEST(EvpnQuestions, WhoAsksWhetherAnAddressIsFreeAsksItsOwner) {
    for (const Octets& probe : {request({}), solicitation({})}) {
        const auto host_packet = read_host_packet(probe, false);
        ASSERT_TRUE(host_packet);
        EXPECT_FALSE(host_packet->asks);
        EXPECT_FALSE(host_packet->says);
    }
}

TEST(EvpnQuestions, AnAnswerHasTheTagOfItsQuestion) {
    for (const std::string_view tags : {"8100 600a", "88a8 0014"}) {
        for (const Octets& plain : {request(), solicitation()}) {
            const Octets question = with_tags(plain, tags);
            ASSERT_TRUE(read_host_packet(question, true));
            EXPECT_EQ(answer_to(question, true, {far, router}),
                      with_tags(answer_to(plain, false, {far, router}), tags));
        }
    }
}

TEST(EvpnQuestions, AStationSaysWhereItIsInItsAnswers) {
    const Octets advertisement = neighbours::write_advertisement(
        {.target = ipv6_of(1, 0xFE), .mac = router, .router = true},
        {.source = ipv6_of(1, 1), .target = ipv6_of(1, 0xFE), .mac = asker});
    const auto host_packet = read_host_packet(advertisement, false);
    ASSERT_TRUE(host_packet && host_packet->says);
    EXPECT_FALSE(host_packet->asks);
    EXPECT_EQ(host_packet->says->mac, router);
    EXPECT_EQ(host_packet->router, true);
    auto relayed = advertisement;
    relayed[11] = 9;
    ASSERT_TRUE(read_host_packet(relayed, false));
    EXPECT_FALSE(read_host_packet(relayed, false)->says) << "another speaks for it";
}

TEST(EvpnQuestions, WhatAHostMayNotBelieveIsIgnored) {
    auto damaged = solicitation();
    damaged[70] ^= 1;
    EXPECT_FALSE(read_host_packet(damaged, false));
    EXPECT_TRUE(answer_to(damaged, false, {far, router}).empty());
    EXPECT_FALSE(read_host_packet(hex("ffffffffffff 020000000001 0800 45"), false));
}

}  // namespace
}  // namespace sluice::control::evpn

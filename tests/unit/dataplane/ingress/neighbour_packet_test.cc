#include "dataplane/ingress/neighbour_packet.h"

#include <gtest/gtest.h>

#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::hex;
using test::ipv6_of;
using test::Octets;

constexpr MacAddress asker{0x0200'0000'0001};
constexpr Ipv4Address near{0xC000'0201};
constexpr Ipv4Address far{0xC000'0202};

Octets request() {
    return hex(
        "ffffffffffff 020000000001 0806"
        "0001 0800 06 04 0001 020000000001 c0000201 000000000000 c0000202");
}
// The packet of tests/unit/control/neighbours/neighbour_discovery_test.cc: 2001:db8:1::1 asks for
// 2001:db8:1::fe.
Octets solicitation() {
    return hex(
        "3333ff0000fe 020000000001 86dd"
        "60000000 0020 3a ff 20010db8000100000000000000000001 ff0200000000000000000001ff0000fe"
        "87 00 1a2d 00000000 20010db80001000000000000000000fe 01 01 020000000001");
}
Octets with_tags(Octets octets, std::string_view tags) {
    const Octets added = hex(tags);
    octets.insert(octets.begin() + 12, added.begin(), added.end());
    return octets;
}

TEST(NeighbourPacket, ARequestAsksAndSaysWhoAsks) {
    for (const std::string_view tag : {"", "8100 200a", "88a8 0014"}) {
        const auto packet = read_neighbour_packet(with_tags(request(), tag), !tag.empty());
        ASSERT_TRUE(packet) << tag;
        EXPECT_EQ(packet->target, IpAddress(far));
        EXPECT_EQ(packet->sender, IpAddress(near));
        EXPECT_EQ(packet->mac, asker);
        EXPECT_EQ(packet->router, std::nullopt);
    }
}

TEST(NeighbourPacket, BehindATagThatIsNotThePortsItIsOfAnotherVlan) {
    EXPECT_FALSE(read_neighbour_packet(with_tags(request(), "8100 000a"), false));
    EXPECT_FALSE(read_neighbour_packet(with_tags(request(), "88a8 0014 8100 000a"), true));
}

TEST(NeighbourPacket, AReplyAndAnAnnouncementSayAndDoNotAsk) {
    auto reply = request();
    reply[21] = 2;
    auto announcement = request();
    announcement[41] = 1;
    for (const Octets& octets : {reply, announcement}) {
        const auto packet = read_neighbour_packet(octets, false);
        ASSERT_TRUE(packet);
        EXPECT_EQ(packet->target, std::nullopt);
        EXPECT_EQ(packet->sender, IpAddress(near));
    }
}

TEST(NeighbourPacket, OneStationIsNotAskedForASecondOne) {
    auto again = request();
    again[0] = 2;
    EXPECT_EQ(read_neighbour_packet(again, false)->target, std::nullopt);
    auto solicited = solicitation();
    solicited[0] = 2;
    EXPECT_EQ(read_neighbour_packet(solicited, false)->target, std::nullopt);
}

TEST(NeighbourPacket, AProbeIsForTheOwnerToAnswer) {
    auto probe = request();
    probe[28] = probe[29] = probe[30] = probe[31] = 0;
    auto of_nobody = solicitation();
    std::fill_n(of_nobody.begin() + 22, 16, 0);
    for (const Octets& octets : {probe, of_nobody}) {
        const auto packet = read_neighbour_packet(octets, false);
        ASSERT_TRUE(packet);
        EXPECT_EQ(packet->target, std::nullopt);
        EXPECT_EQ(packet->sender, std::nullopt);
    }
}

TEST(NeighbourPacket, ASolicitationToAnotherGroupIsNoQuestionHere) {
    auto to_all = solicitation();
    std::fill_n(to_all.begin() + 39, 14, 0);
    EXPECT_EQ(read_neighbour_packet(to_all, false)->target, std::nullopt);
}

TEST(NeighbourPacket, WhoSpeaksForAnotherIsNotBelieved) {
    auto proxy = request();
    proxy[27] = 9;
    const auto packet = read_neighbour_packet(proxy, false);
    ASSERT_TRUE(packet);
    EXPECT_EQ(packet->sender, std::nullopt);
    EXPECT_EQ(packet->target, IpAddress(far));
}

TEST(NeighbourPacket, DiscoveryIsReadLikewise) {
    const auto asked = read_neighbour_packet(solicitation(), false);
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->target, IpAddress(ipv6_of(1, 0xFE)));
    EXPECT_EQ(asked->sender, IpAddress(ipv6_of(1, 1)));
    auto advertisement = solicitation();
    advertisement[54] = 136;
    const auto packet = read_neighbour_packet(advertisement, false);
    ASSERT_TRUE(packet);
    EXPECT_EQ(packet->target, std::nullopt);
    EXPECT_EQ(packet->sender, IpAddress(ipv6_of(1, 0xFE)));
    EXPECT_EQ(packet->router, false);
    advertisement[58] = 0x80;
    EXPECT_EQ(read_neighbour_packet(advertisement, false)->router, true);
}

TEST(NeighbourPacket, WhatIsNoneOrIsCutShortIsLeftAlone) {
    for (const Octets& whole : {request(), solicitation()}) {
        const std::size_t needed = whole[12] == 8 ? 42 : 78;
        for (std::size_t length = 0; length <= whole.size(); ++length) {
            const test::Fenced cut({whole.data(), length});
            EXPECT_EQ(read_neighbour_packet(cut.octets(), false).has_value(), length >= needed)
                << length;
        }
    }
    for (const std::size_t at : {13U, 15U, 17U, 18U, 19U, 21U}) {
        auto other = request();
        other[at] = 9;
        EXPECT_FALSE(read_neighbour_packet(other, false)) << at;
    }
    for (const std::size_t at : {13U, 14U, 20U, 21U, 54U, 55U}) {
        auto other = solicitation();
        other[at] = 9;
        EXPECT_FALSE(read_neighbour_packet(other, false)) << at;
    }
}

}  // namespace
}  // namespace sluice

// Packets of neighbour discovery, as others write them, and which of them a host may not believe.
#include "control/neighbours/neighbour_discovery.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/octets.h"

namespace sluice::neighbours {
namespace {

using test::hex;
using test::ipv6_of;

constexpr MacAddress own{0x0200'0000'0001};
constexpr MacAddress router{0x0200'0000'00FE};
constexpr Solicitation asked{ipv6_of(1, 1), ipv6_of(1, 0xFE), own};

// Built by scapy 2.5: ICMPv6ND_NS(tgt='2001:db8:1::fe')/ICMPv6NDOptSrcLLAddr(...).
test::Octets golden_solicitation() {
    return hex(
        "3333ff0000fe 020000000001 86dd"
        "60000000 0020 3a ff 20010db8000100000000000000000001 ff0200000000000000000001ff0000fe"
        "87 00 1a2d 00000000 20010db80001000000000000000000fe 01 01 020000000001");
}

// RFC 8200 8.1, in plain words.
void make_checksum_right(test::Octets& octets) {
    write_16(&octets[56], 0);
    uint32_t sum = 58 + static_cast<uint32_t>(octets.size() - 54);
    for (std::size_t at = 22; at < octets.size(); at += 2) sum += read_16(&octets[at]);
    while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
    write_16(&octets[56], static_cast<uint16_t>(~sum));
}

TEST(NeighbourDiscovery, IsWrittenAsOthersWriteIt) {
    EXPECT_EQ(write_solicitation(asked, std::nullopt), golden_solicitation());
    // ICMPv6ND_NA(tgt='2001:db8:1::1',R=0,S=1,O=1)/ICMPv6NDOptDstLLAddr(...).
    EXPECT_EQ(write_advertisement({.target = ipv6_of(1, 1), .mac = own},
                                  {ipv6_of(1, 0xFE), ipv6_of(1, 1), router}),
              hex("0200000000fe 020000000001 86dd"
                  "60000000 0020 3a ff 20010db8000100000000000000000001"
                  "20010db80001000000000000000000fe"
                  "88 00 8974 60000000 20010db8000100000000000000000001 02 01 020000000001"));
}

TEST(NeighbourDiscovery, ARouterSaysThatItIsOne) {
    const auto frame =
        write_advertisement({.target = asked.target, .mac = router, .router = true}, asked);
    EXPECT_EQ(frame[58], 0xE0);
    ASSERT_TRUE(read_advertisement(frame));
    EXPECT_TRUE(read_advertisement(frame)->router);
}

TEST(NeighbourDiscovery, AsksOneThatItKnowsItself) {
    const auto frame = write_solicitation(asked, router);
    EXPECT_EQ(read_address(frame.data()), router);
    EXPECT_EQ(read_ipv6(&frame[38]), asked.target);
    EXPECT_TRUE(read_solicitation(frame));
}

TEST(NeighbourDiscovery, IsReadWithAndWithoutTheOption) {
    auto octets = golden_solicitation();
    const auto read = read_solicitation(octets);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->source, asked.source);
    EXPECT_EQ(read->target, asked.target);
    EXPECT_EQ(read->mac, own);
    EXPECT_TRUE(read->has_link_layer_address);
    EXPECT_FALSE(read_advertisement(octets));
    octets.resize(78);
    write_16(&octets[18], 24);
    write_16(&octets[6], 0x0400);
    make_checksum_right(octets);
    const auto bare = read_solicitation(octets);
    ASSERT_TRUE(bare);
    EXPECT_EQ(bare->mac, MacAddress{0x0400'0000'0001});
    EXPECT_FALSE(bare->has_link_layer_address);
}

// RFC 4861 7.1.1: a host without an address asks the group, and gives no link-layer address.
TEST(NeighbourDiscovery, OfWhoHasNoAddressIsReadIfItAsksTheGroupAlone) {
    const Solicitation bare{{}, asked.target, own, false};
    const auto read = read_solicitation(write_solicitation(bare, std::nullopt));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->source, Ipv6Address{});
    EXPECT_FALSE(read_solicitation(write_solicitation(bare, router))) << "to the station itself";
    EXPECT_FALSE(read_solicitation(write_solicitation({{}, asked.target, own}, std::nullopt)))
        << "with the option";
}

TEST(NeighbourDiscovery, IsNoAnswerToAGroup) {
    auto octets = write_advertisement({.target = asked.target, .mac = router}, {});
    const auto read = read_advertisement(octets);
    ASSERT_TRUE(read);
    EXPECT_FALSE(read->solicited);
    octets[58] |= 0x40;
    make_checksum_right(octets);
    EXPECT_FALSE(read_advertisement(octets));
}

TEST(NeighbourDiscovery, OfWhatAHostIgnoresIsNone) {
    const auto right = golden_solicitation();
    // Type, version, next header, hop limit, source a group, another group and another station
    // asked, ICMP type, code, target a group, an option of no length, one beyond the end.
    for (const auto& [at, value] :
         std::initializer_list<std::pair<std::size_t, uint8_t>>{{12, 0x08},
                                                                {14, 0x40},
                                                                {20, 17},
                                                                {21, 254},
                                                                {22, 0xFF},
                                                                {53, 0xFD},
                                                                {38, 0x20},
                                                                {54, 133},
                                                                {55, 1},
                                                                {62, 0xFF},
                                                                {79, 0},
                                                                {79, 2}}) {
        auto wrong = right;
        wrong[at] = value;
        make_checksum_right(wrong);
        EXPECT_FALSE(read_solicitation(wrong)) << at;
    }
    auto wrong = right;
    wrong[57] ^= 1;
    EXPECT_FALSE(read_solicitation(wrong)) << "its checksum";
    for (std::size_t length = 0; length < right.size(); ++length) {
        const test::Fenced cut(std::span<const uint8_t>(right).first(length));
        EXPECT_FALSE(read_solicitation(cut.octets())) << length;
    }
}

}  // namespace
}  // namespace sluice::neighbours

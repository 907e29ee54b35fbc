#include "control/querier/query.h"

#include <gtest/gtest.h>

#include "tests/support/octets.h"

namespace sluice::querier {
namespace {

using namespace sluice::literals;
using test::hex;
using test::Octets;

constexpr MacAddress mac{0x02000000000A};
constexpr GroupSource ipv4_group{.high = 0, .low = 0xE1010203};
constexpr GroupSource ipv6_group{.high = 0xFF15'0000'0000'0000, .low = 0x0000'0000'0007'0007};

Query igmp(uint8_t version) {
    return {.protocol = GroupProtocol::igmp,
            .version = version,
            .mac = mac,
            .ipv4 = {0xC0000201},
            .group = {},
            .response = 10_s,
            .interval = 125_s};
}
Query mld(uint8_t version) {
    return {.protocol = GroupProtocol::mld,
            .version = version,
            .mac = mac,
            .ipv4 = {},
            .group = {},
            .response = 10_s,
            .interval = 125_s};
}

// Golden octets as scapy 2.5 builds them.
TEST(Query, OfAllGroupsIsIgmpVersion3) {
    EXPECT_EQ(frame_of(igmp(3)), hex("01005e000001 02000000000a 0800"
                                     "46c00024 00004000 01024211 c0000201 e0000001 94040000"
                                     "11 64 ec1e 00000000 02 7d 0000"
                                     "00000000000000000000"));
}

TEST(Query, OfAGroupIsIgmpVersion2FromNobody) {
    Query query = igmp(2);
    query.ipv4 = {};
    query.group = ipv4_group;
    query.response = 1_s;
    EXPECT_EQ(frame_of(query), hex("01005e010203 02000000000a 0800"
                                   "46c00020 00004000 01020114 00000000 e1010203 94040000"
                                   "11 0a 0bf1 e1010203"
                                   "0000000000000000000000000000"));
}

TEST(Query, OfAllGroupsIsMldVersion2FromTheLinkLocalAddress) {
    EXPECT_EQ(frame_of(mld(2)),
              hex("333300000001 02000000000a 86dd"
                  "6c000000 0024 00 01 fe80000000000000000000fffe00000a"
                  "ff020000000000000000000000000001"
                  "3a00050200000100"
                  "82 00 578d 2710 0000 00000000000000000000000000000000 02 7d 0000"));
}

TEST(Query, OfAGroupIsMldVersion1) {
    Query query = mld(1);
    query.group = ipv6_group;
    query.response = 1_s;
    EXPECT_EQ(frame_of(query), hex("333300070007 02000000000a 86dd"
                                   "6c000000 0020 00 01 fe80000000000000000000fffe00000a"
                                   "ff150000000000000000000000070007"
                                   "3a00050200000100"
                                   "82 00 7df2 03e8 0000 ff150000000000000000000000070007"));
}

// Our own reader, and so a peer of ours, reads the queries as they are meant.
TEST(Query, IsReadAsItIsMeant) {
    for (Query query : {igmp(2), igmp(3), mld(1), mld(2)}) {
        query.interval = 1000_s;
        const std::vector<uint8_t> frame = frame_of(query);
        const MembershipMessage read = read_membership(std::span(frame).subspan(14));
        EXPECT_EQ(read.kind, MembershipMessage::Kind::query);
        EXPECT_EQ(read.protocol, query.protocol);
        EXPECT_TRUE(read.from_router);
        EXPECT_EQ(read.sender, address_of(query));
        const uint8_t latest = query.protocol == GroupProtocol::igmp ? 3 : 2;
        EXPECT_EQ(read.interval_s, query.version == latest ? 992U : 0U) << "in few bits";
    }
}

TEST(Query, AsksForAnAnswerHoweverShortTheTime) {
    Query query = igmp(3);
    query.response = 1_ms;
    EXPECT_EQ(frame_of(query)[39], 1);
    query.response = 25_s;
    EXPECT_EQ(frame_of(query)[39], 0x8F) << "(16 + 15) << 3 tenths of a second";
    query.version = 2;
    EXPECT_EQ(frame_of(query)[39], 250);
    Query longest = mld(2);
    longest.response = 40_s;
    EXPECT_EQ(read_16(&frame_of(longest)[66]), 0x8388) << "(4096 + 904) << 3 ms";
}

TEST(Query, AddressesAreShownAsPeopleWriteThem) {
    EXPECT_EQ(text_of(GroupProtocol::igmp, address_of(igmp(3))), "192.0.2.1");
    EXPECT_EQ(text_of(GroupProtocol::mld, address_of(mld(2))), "fe80::ff:fe00:a");
}

}  // namespace
}  // namespace sluice::querier

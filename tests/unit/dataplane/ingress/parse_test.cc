#include "dataplane/ingress/parse.h"

#include <gtest/gtest.h>

#include <ostream>
#include <vector>

#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::Fenced;
using test::hex;

// The values to be read from the octets; after a drop the rest of Headers is not compared.
struct Golden {
    const char* description;
    const char* octets;
    Drop verdict;
    uint16_t ether_type = 0;
    bool tagged = false;
    VlanId vlan = 0;
    uint8_t pcp = 0;
    uint8_t network_offset = 0;
    uint8_t dscp = 0;
};
std::ostream& operator<<(std::ostream& out, const Golden& golden) {
    return out << golden.description;
}

#define TO_FROM "02:00:00:00:01:01 02:00:00:00:01:00 "
#define IPV4_REST " 0014 0000 0000 4011 0000 0a000001 0a000002"
#define IPV6_REST      \
    "00000 0000 3b40 " \
    "fe80:0000:0000:0000:0000:0000:0000:0001 fe80:0000:0000:0000:0000:0000:0000:0002"

const std::vector<Golden> goldens = {
    {"nothing at all", "", Drop::runt},
    {"one octet", "02", Drop::runt},
    {"addresses and half a type", TO_FROM "08", Drop::runt},
    {"addresses and a type", TO_FROM "88b5", Drop::none, 0x88B5},
    {"a length in place of a type (802.3)", TO_FROM "0003 424203", Drop::none, 3},
    {"source is a group", "02:00:00:00:01:01 01:00:5e:00:00:01 88b5", Drop::group_source},
    {"source is broadcast", "02:00:00:00:01:01 ff:ff:ff:ff:ff:ff 88b5", Drop::group_source},
    {"destination is broadcast", "ff:ff:ff:ff:ff:ff 02:00:00:00:01:00 88b5", Drop::none, 0x88B5},
    {"source is all zero", "02:00:00:00:01:01 00:00:00:00:00:00 88b5", Drop::none, 0x88B5},

    {"802.1Q: VLAN 100, PCP 5", TO_FROM "8100 a064 88b5", Drop::none, 0x88B5, true, 100, 5},
    {"802.1Q: DEI is not part of the PCP", TO_FROM "8100 f064 88b5", Drop::none, 0x88B5, true, 100,
     7},
    {"802.1Q: priority tag, VLAN 0", TO_FROM "8100 6000 88b5", Drop::none, 0x88B5, true, 0, 3},
    {"802.1Q: highest VLAN", TO_FROM "8100 0ffe 88b5", Drop::none, 0x88B5, true, 4094, 0},
    {"802.1ad: service tag", TO_FROM "88a8 c00a 88b5", Drop::none, 0x88B5, true, 10, 6},
    {"802.1ad: the outer tag counts", TO_FROM "88a8 c00a 8100 2014 88b5", Drop::none, 0x88B5, true,
     10, 6},
    {"two customer tags", TO_FROM "8100 c00a 8100 2014 88b5", Drop::none, 0x88B5, true, 10, 6},
    {"a third tag is left alone", TO_FROM "88a8 c00a 8100 2014 8100 0001 0800", Drop::none, 0x8100,
     true, 10, 6},
    {"tag type and nothing", TO_FROM "8100", Drop::truncated_tag},
    {"tag without a type behind it", TO_FROM "8100 a064", Drop::truncated_tag},
    {"tag with half a type", TO_FROM "8100 a064 08", Drop::truncated_tag},
    {"service tag cut", TO_FROM "88a8 00", Drop::truncated_tag},
    {"inner tag cut", TO_FROM "88a8 c00a 8100 20", Drop::truncated_tag},
    {"inner tag without a type", TO_FROM "88a8 c00a 8100 2014", Drop::truncated_tag},

    {"IPv4, EF", TO_FROM "0800 45b8" IPV4_REST, Drop::none, 0x0800, false, 0, 0, 14, 46},
    {"IPv4: ECN is not part of the DSCP", TO_FROM "0800 4503" IPV4_REST, Drop::none, 0x0800, false,
     0, 0, 14, 0},
    {"IPv4 behind a tag", TO_FROM "8100 a064 0800 4528" IPV4_REST, Drop::none, 0x0800, true, 100, 5,
     18, 10},
    {"IPv4 behind two tags", TO_FROM "88a8 c00a 8100 2014 0800 4528" IPV4_REST, Drop::none, 0x0800,
     true, 10, 6, 22, 10},
    {"IPv4 with options", TO_FROM "0800 4628" IPV4_REST "01010101", Drop::none, 0x0800, false, 0, 0,
     14, 10},
    {"IPv4: no header", TO_FROM "0800", Drop::truncated_ip},
    {"IPv4: 19 of 20 octets", TO_FROM "0800 4500 0014 0000 0000 4011 0000 0a000001 0a0000",
     Drop::truncated_ip},
    {"IPv4: IHL says more than there is", TO_FROM "0800 4f28" IPV4_REST "01010101",
     Drop::truncated_ip},
    {"IPv4: options cut by one octet", TO_FROM "0800 4628" IPV4_REST "010101", Drop::truncated_ip},
    {"IPv4: IHL of 4 passes as plain Ethernet", TO_FROM "0800 4428" IPV4_REST, Drop::none, 0x0800},
    {"IPv4: IHL of 0 passes as plain Ethernet", TO_FROM "0800 4028" IPV4_REST, Drop::none, 0x0800},
    {"IPv4 type, version 6", TO_FROM "0800 6528" IPV4_REST, Drop::none, 0x0800},
    {"IPv4 behind a tag, cut", TO_FROM "8100 a064 0800 45", Drop::truncated_ip},

    {"IPv6, traffic class b8 over two octets", TO_FROM "86dd 6b8" IPV6_REST, Drop::none, 0x86DD,
     false, 0, 0, 14, 46},
    {"IPv6: ECN is not part of the DSCP", TO_FROM "86dd 603" IPV6_REST, Drop::none, 0x86DD, false,
     0, 0, 14, 0},
    {"IPv6 behind two tags", TO_FROM "88a8 c00a 8100 2014 86dd 6fc" IPV6_REST, Drop::none, 0x86DD,
     true, 10, 6, 22, 63},
    {"IPv6: no header", TO_FROM "86dd", Drop::truncated_ip},
    {"IPv6: 39 of 40 octets",
     TO_FROM "86dd 60000000 0000 3b40 fe80000000000000 0000000000000001"
             "fe80000000000000 00000000000000",
     Drop::truncated_ip},
    {"IPv6 type, version 4 passes as plain Ethernet", TO_FROM "86dd 4b8" IPV6_REST, Drop::none,
     0x86DD},
};

class ParseGolden : public testing::TestWithParam<Golden> {};

TEST_P(ParseGolden, IsReadAsExpected) {
    const Golden& golden = GetParam();
    const Fenced frame(hex(golden.octets));
    Headers headers;
    ASSERT_EQ(name_of(parse(frame.octets(), headers)), name_of(golden.verdict));
    if (golden.verdict != Drop::none) return;
    EXPECT_EQ(headers.ether_type, golden.ether_type);
    EXPECT_EQ(headers.tagged, golden.tagged);
    EXPECT_EQ(headers.vlan, golden.vlan);
    EXPECT_EQ(headers.pcp, golden.pcp);
    EXPECT_EQ(headers.network_offset, golden.network_offset);
    EXPECT_EQ(headers.dscp, golden.dscp);
}

// Each golden frame is cut after every octet: no octet beyond the end is read (Fenced stops it),
// and a shorter frame never seems to have more headers.
TEST_P(ParseGolden, MayBeCutAnywhere) {
    const test::Octets whole = hex(GetParam().octets);
    for (std::size_t length = 0; length <= whole.size(); ++length) {
        const Fenced frame{std::span(whole).first(length)};
        Headers headers;
        const Drop verdict = parse(frame.octets(), headers);
        EXPECT_TRUE(verdict == Drop::none || verdict == Drop::runt ||
                    verdict == Drop::truncated_tag || verdict == Drop::truncated_ip ||
                    verdict == Drop::group_source);
        EXPECT_EQ(verdict == Drop::runt, length < 14);
        if (verdict == Drop::none && headers.network_offset != 0) {
            EXPECT_GE(length, headers.network_offset + 20U);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Frames, ParseGolden, testing::ValuesIn(goldens));

TEST(Parse, ReadsBothAddresses) {
    const auto octets = hex("01:80:c2:00:00:0e 02:00:00:00:01:00 88cc");
    Headers headers;
    ASSERT_EQ(parse(octets, headers), Drop::none);
    EXPECT_EQ(headers.destination, lldp_address);
    EXPECT_EQ(headers.source, test::station(0));
}

TEST(Parse, LeavesNothingOfTheFrameBefore) {
    Headers headers;
    ASSERT_EQ(parse(hex(TO_FROM "8100 a064 0800 45b8" IPV4_REST), headers), Drop::none);
    ASSERT_EQ(parse(hex(TO_FROM "88b5"), headers), Drop::none);
    EXPECT_FALSE(headers.tagged);
    EXPECT_EQ(headers.vlan, 0);
    EXPECT_EQ(headers.pcp, 0);
    EXPECT_EQ(headers.network_offset, 0);
    EXPECT_EQ(headers.dscp, 0);
}

TEST(Parse, TakesNothingForRoceThatEndsBeforeThePort) {
    const auto whole = hex(TO_FROM
                           "0800 4500 0000 0000 0000 4011 0000 0a000001 0a000002"
                           "c000 12b7");
    Headers headers;
    ASSERT_EQ(parse(whole, headers), Drop::none);
    EXPECT_TRUE(is_roce(whole, headers));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const Fenced frame{std::span(whole).first(length)};
        EXPECT_FALSE(is_roce(frame.octets(), headers)) << length;
    }
}

}  // namespace
}  // namespace sluice

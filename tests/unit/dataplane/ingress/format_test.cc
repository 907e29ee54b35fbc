#include "dataplane/ingress/format.h"

#include <gtest/gtest.h>

#include <ostream>
#include <vector>

#include "dataplane/ingress/parse.h"
#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::bits_of;
using test::Fenced;
using test::hex;
using test::Octets;

enum Preset : std::size_t { standard, gen1, gen2, lite, gen2_of_32, ufh, ufh_of_32 };

// The values to be read from the octets; after a drop the others are not compared.
struct Golden {
    Preset preset;
    const char* description;
    const char* octets;
    Drop verdict;
    uint64_t destination = 0;
    uint64_t source = 0;
    uint8_t traffic_class = 0;
    VlanId vlan = 0;
    uint8_t pcp = 0;
    uint8_t network_offset = 0;
};
std::ostream& operator<<(std::ostream& out, const Golden& golden) {
    return out << preset_names[golden.preset] << ": " << golden.description;
}

constexpr uint64_t group = uint64_t{1} << 40;

// Traffic class 0x14, payload, destination 0x0007; key word W, payload, source 0x0003.
#define SHORT_IDS "80 aabbcc 0007 14 ddeeff 0003 "
#define RH "1122334455667788"
#define IPV4 "4500 0014 0000 0000 4011 0000 0a000001 0a000002"

const std::vector<Golden> goldens = {
    {standard, "both addresses", "020000000101 020000000100 88b5", Drop::none, 0x020000000101,
     0x020000000100},
    {standard, "a group keeps its address", "01005e000001 020000000100 88b5", Drop::none,
     0x01005E000001, 0x020000000100},
    {standard, "source is a group", "020000000101 03000000aa00 88b5", Drop::group_source},
    {standard, "13 octets", "020000000101 020000000100 88", Drop::runt},
    {standard, "a tag before IPv4", "020000000101 020000000100 8100 a064 0800" IPV4, Drop::none,
     0x020000000101, 0x020000000100, 0, 100, 5, 18},
    {standard, "IPv4 cut", "020000000101 020000000100 0800 45", Drop::truncated_ip},

    {gen1, "the traffic class is no part of the source", "020000000101 a40000000100 cafe" RH,
     Drop::none, 0x020000000101, 0x0000000100, 0xA4},
    {gen1, "an odd traffic class is no group source", "020000000101 a50000000100 cafe" RH,
     Drop::none, 0x020000000101, 0x0000000100, 0xA5},
    {gen1, "21 octets",
     "020000000101 a40000000100 cafe"
     "11223344556677",
     Drop::runt},
    {gen1, "a tag", "020000000101 a40000000100 8100 6005 cafe" RH, Drop::none, 0x020000000101,
     0x0000000100, 0xA4, 5, 3},
    {gen1, "a tag, and 25 octets",
     "020000000101 a40000000100 8100 6005 cafe"
     "11223344556677",
     Drop::runt},
    {gen1, "two tags", "020000000101 a40000000100 88a8 6005 8100 2001 cafe" RH, Drop::none,
     0x020000000101, 0x0000000100, 0xA4, 5, 3},
    {gen1, "a group", "030000000101 a40000000100 cafe" RH, Drop::none, 0x030000000101, 0x0000000100,
     0xA4},
    {gen1, "IPv4's EtherType means nothing", "020000000101 a40000000100 0800 45b8" RH, Drop::none,
     0x020000000101, 0x0000000100, 0xA4},

    {gen2, "ids of 16 bits", SHORT_IDS "cafe" RH, Drop::none, 7, 3, 0x14},
    {gen2, "payload in the address fields does not matter", "80 000000 0007 14 ffffff 0003 cafe" RH,
     Drop::none, 7, 3, 0x14},
    {gen2, "the highest ids", "80 ffffff ffff fc ffffff ffff cafe" RH, Drop::none, 0xFFFF, 0xFFFF,
     0xFC},
    {gen2, "W = 0: 32-bit ids", "00 aabbcc 0007 14 ddeeff 0003 cafe" RH, Drop::afh_gen2_32b},
    {gen2, "W = 0, all else set", "7f aabbcc 0007 14 ddeeff 0003 cafe" RH, Drop::afh_gen2_32b},
    {gen2, "M = 1: a group", "81 aabbcc 0007 14 ddeeff 0003 cafe" RH, Drop::none, group | 7, 3,
     0x14},
    {gen2, "X = 1: local, which is nothing to us", "82 aabbcc 0007 14 ddeeff 0003 cafe" RH,
     Drop::none, 7, 3, 0x14},
    {gen2, "an odd traffic class is no group", "80 aabbcc 0007 15 ddeeff 0003 cafe" RH, Drop::none,
     7, 3, 0x15},
    {gen2, "21 octets",
     SHORT_IDS "cafe"
               "11223344556677",
     Drop::runt},
    {gen2, "a tag", SHORT_IDS "8100 a00a cafe" RH, Drop::none, 7, 3, 0x14, 10, 5},
    {gen2, "a tag, and 22 octets", SHORT_IDS "8100 a00a cafe 11223344", Drop::runt},
    {gen2, "nothing at all", "", Drop::runt},

    {gen2_of_32, "ids of 32 bits", "00 aa bbcc0007 14 dd eeff0003 cafe" RH, Drop::none, 0xBBCC0007,
     0xEEFF0003, 0x14},
    {gen2_of_32, "the highest ids", "00 00 ffffffff fc 00 ffffffff cafe" RH, Drop::none, 0xFFFFFFFF,
     0xFFFFFFFF, 0xFC},
    {gen2_of_32, "W = 1: 16-bit ids", SHORT_IDS "cafe" RH, Drop::afh_gen2_16b},
    {gen2_of_32, "M = 1: a group", "01 aa bbcc0007 14 dd eeff0003 cafe" RH, Drop::none,
     group | 0xBBCC0007, 0xEEFF0003, 0x14},
    {gen2_of_32, "a tag", "02 aa bbcc0007 14 dd eeff0003 8100 a00a cafe" RH, Drop::none, 0xBBCC0007,
     0xEEFF0003, 0x14, 10, 5},
    {gen2_of_32, "21 octets",
     "00 aa bbcc0007 14 dd eeff0003 cafe"
     "11223344556677",
     Drop::runt},

    // Fields as in its drawing: flags, 24 spare bits, destination; traffic class, 24 spare, source.
    {ufh, "ids of 16 bits", "02 aabbcc 0007 14 ddeeff 0003 cafe", Drop::none, 7, 3, 0x14},
    {ufh, "what is reserved does not matter", "f2 ffffff 0007 14 ffffff 0003 cafe", Drop::none, 7,
     3, 0x14},
    {ufh, "M = 1: a group", "03 aabbcc 0007 14 ddeeff 0003 cafe", Drop::none, group | 7, 3, 0x14},
    {ufh, "a tag", "02 aabbcc 0007 15 ddeeff 0003 8100 a00a cafe", Drop::none, 7, 3, 0x15, 10, 5},
    {ufh, "IPv4's EtherType means nothing", "02 aabbcc 0007 14 ddeeff 0003 0800", Drop::none, 7, 3,
     0x14},
    {ufh, "13 octets", "02 aabbcc 0007 14 ddeeff 0003 ca", Drop::runt},
    {ufh_of_32, "ids of 32 bits", "02 aa bbcc0007 14 dd eeff0003 cafe", Drop::none, 0xBBCC0007,
     0xEEFF0003, 0x14},
    {ufh_of_32, "M = 1: a group", "83 aa bbcc0007 14 dd eeff0003 cafe", Drop::none,
     group | 0xBBCC0007, 0xEEFF0003, 0x14},

    {lite, "a header and nothing else", SHORT_IDS, Drop::none, 7, 3, 0x14},
    {lite, "11 octets", "80 aabbcc 0007 14 ddeeff 00", Drop::runt},
    {lite, "payload that looks like a tag", SHORT_IDS "8100 a00a 0800", Drop::none, 7, 3, 0x14},
    {lite, "payload that looks like IPv4", SHORT_IDS "0800" IPV4, Drop::none, 7, 3, 0x14},
    {lite, "W = 0: 32-bit ids", "00 aabbcc 0007 14 ddeeff 0003", Drop::afh_gen2_32b},
    {lite, "M = 1: a group", "81 aabbcc ffff 14 ddeeff 0003", Drop::none, group | 0xFFFF, 3, 0x14},
};

class FormatGolden : public testing::TestWithParam<Golden> {};

TEST_P(FormatGolden, IsReadAsExpected) {
    const Golden& golden = GetParam();
    const Fenced frame(hex(golden.octets));
    Headers headers;
    const Format format(presets[golden.preset]);
    ASSERT_EQ(name_of(parse(format, frame.octets(), headers)), name_of(golden.verdict));
    if (golden.verdict != Drop::none) return;
    EXPECT_EQ(headers.destination.bits, golden.destination);
    EXPECT_EQ(headers.source.bits, golden.source);
    EXPECT_EQ(headers.traffic_class, golden.traffic_class);
    EXPECT_EQ(headers.vlan, golden.vlan);
    EXPECT_EQ(headers.pcp, golden.pcp);
    EXPECT_EQ(headers.network_offset, golden.network_offset);
}

// Every golden frame of every format is read by every format and cut after every octet: no octet
// beyond the end is read (Fenced stops it), and a frame shorter than a header is a runt.
TEST_P(FormatGolden, MayBeCutAnywhereAndReadByAnyFormat) {
    const Octets whole = hex(GetParam().octets);
    for (const FrameFormat& preset : presets) {
        const Format format(preset);
        for (std::size_t length = 0; length <= whole.size(); ++length) {
            const Fenced frame{std::span(whole).first(length)};
            Headers headers;
            const Drop verdict = parse(format, frame.octets(), headers);
            const auto header = static_cast<std::size_t>(preset.header.count());
            if (length < header) {
                EXPECT_EQ(name_of(verdict), name_of(Drop::runt));
            }
        }
    }
}

// The description of standard Ethernet reads the same values as its own code.
TEST_P(FormatGolden, DescribedOrNotStandardEthernetIsTheSame) {
    const Octets octets = hex(GetParam().octets);
    Headers direct;
    Headers described;
    ASSERT_EQ(name_of(parse(octets, direct)),
              name_of(parse(Format(presets[standard]), octets, described)));
    if (parse(octets, direct) != Drop::none) return;
    EXPECT_EQ(direct.destination, described.destination);
    EXPECT_EQ(direct.source, described.source);
    EXPECT_EQ(direct.ether_type, described.ether_type);
    EXPECT_EQ(direct.tagged, described.tagged);
    EXPECT_EQ(direct.vlan, described.vlan);
    EXPECT_EQ(direct.pcp, described.pcp);
    EXPECT_EQ(direct.network_offset, described.network_offset);
    EXPECT_EQ(direct.dscp, described.dscp);
}

INSTANTIATE_TEST_SUITE_P(Frames, FormatGolden, testing::ValuesIn(goldens));

TEST(Format, TheOtherReadingOfTheKeyWordIsConfiguration) {
    FrameFormat other = presets[gen2];
    std::swap(other.traffic_class, other.key_word);
    other.ecn = {6, 2};
    ASSERT_TRUE(is_sound(other));
    Headers headers;
    const Octets octets = hex("14 aabbcc 0007 81 ddeeff 0003 cafe" RH);
    ASSERT_EQ(parse(Format(other), octets, headers), Drop::none);
    EXPECT_EQ(headers.destination.bits, group | 7);
    EXPECT_EQ(headers.traffic_class, 0x14);
}

TEST(Format, WithoutAKeyWordNoFrameIsForAGroup) {
    FrameFormat bare = presets[ufh];
    bare.key_word = {};
    ASSERT_TRUE(is_sound(bare));
    Headers headers;
    ASSERT_EQ(parse(Format(bare), hex("83 aabbcc 0007 14 ddeeff 0003 cafe"), headers), Drop::none);
    EXPECT_EQ(headers.destination.bits, 7U);
}

TEST(Format, ATtlThatNobodyMayPassOnIsExpired) {
    FrameFormat counted = presets[ufh];
    counted.ttl = {16, 4};
    ASSERT_TRUE(is_sound(counted));
    const Format format(counted);
    Headers headers;
    EXPECT_EQ(parse(format, hex("02 aa0fcc 0007 14 ddeeff 0003 cafe"), headers), Drop::ttl_expired);
    EXPECT_EQ(parse(format, hex("02 aa1fcc 0007 14 ddeeff 0003 cafe"), headers), Drop::ttl_expired);
    EXPECT_EQ(parse(format, hex("02 aa2fcc 0007 14 ddeeff 0003 cafe"), headers), Drop::none);
}

TEST(Format, AMaskLeavesBitsOutOfAnAddress) {
    FrameFormat masked = presets[gen1];
    masked.destination.mask = 0x00FF'FFFF'FFFF;
    Headers headers;
    ASSERT_EQ(parse(Format(masked), hex("a20000000101 a40000000100 cafe" RH), headers), Drop::none);
    EXPECT_EQ(headers.destination.bits, 0x000000000101U);
    ASSERT_EQ(parse(Format(masked), hex("a30000000101 a40000000100 cafe" RH), headers), Drop::none);
    EXPECT_EQ(headers.destination.bits, group | 0x000000000101U);
}

TEST(Format, ReadsEveryFieldThatFitsEveryHeader) {
    Octets octets(64);
    uint32_t word = 1;
    for (uint8_t& octet : octets) octet = static_cast<uint8_t>((word = word * 1664525 + 7) >> 24);
    for (const unsigned header : {12U, 14U, 22U, 64U}) {
        const Fenced frame{std::span(octets).first(header)};
        for (uint16_t width = 1; width <= 48; ++width) {
            for (uint16_t offset = 0; offset + width <= header * 8; ++offset) {
                const Field field{offset, width, 0xFFFF'5555'FFFF};
                EXPECT_EQ(FieldReader(field, Bytes(header))(frame.octets().data()),
                          bits_of(octets, field))
                    << header << ' ' << offset << '/' << width;
            }
        }
    }
}

TEST(Control, IsRecognisedByFullDestinationAndEtherType) {
    const auto control_of_hex = [](const char* text) {
        const Fenced frame(hex(text));
        return control_of(frame.octets());
    };
    EXPECT_EQ(control_of_hex("0180c2000001 020000000100 8808"), Control::mac_control);
    EXPECT_EQ(control_of_hex("0180c200000e 020000000100 88cc"), Control::lldp);
    EXPECT_EQ(control_of_hex("0180c2000001 020000000100 88cc"), Control::none);
    EXPECT_EQ(control_of_hex("0180c200000e 020000000100 8808"), Control::none);
    EXPECT_EQ(control_of_hex("020000000101 020000000100 8808"), Control::none);
    EXPECT_EQ(control_of_hex("0180c2000001 020000000100 88"), Control::none);
    EXPECT_EQ(control_of_hex(""), Control::none);
}

}  // namespace
}  // namespace sluice

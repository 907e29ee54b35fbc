#include "dataplane/trim/cut_packet.h"

#include <gtest/gtest.h>

#include "dataplane/egress/dscp.h"
#include "dataplane/types/address.h"
#include "tests/support/segments.h"

namespace sluice {
namespace {

using test::frame_of;
using test::Octets;
using test::SegmentSpec;

constexpr uint8_t dscp_trimmed = 4;

SegmentSpec datagram(std::size_t payload) { return {.is_tcp = false, .payload = payload}; }

// Returns what trimming leaves of a frame; empty: the frame is not trimmed.
Octets cut(Octets frame, std::size_t network, std::size_t size = 128) {
    const uint16_t length = length_when_cut(frame, network, size);
    frame.resize(length);
    if (length > 0) write_cut_headers(frame, network, dscp_trimmed);
    return frame;
}
Octets cut(const SegmentSpec& spec, std::size_t size = 128) {
    return cut(frame_of(spec), spec.network(), size);
}

// RFC 1071: the sum over a header whose checksum is right.
bool is_sound_ipv4(const Octets& frame, const SegmentSpec& spec) {
    return test::plain_sum(std::span(frame).subspan(spec.network(), 20 + spec.ip_options)) ==
           0xFFFF;
}

TEST(CutPacket, OfIpv4WritesLengthDscpAndChecksumAndNothingElse) {
    const SegmentSpec spec = datagram(1000);
    const Octets whole = frame_of(spec);
    Octets kept = cut(spec);
    ASSERT_EQ(kept.size(), 128U);
    EXPECT_EQ(read_16(&kept[16]), 128 - 14);
    EXPECT_EQ(dscp_of(&kept[14]), dscp_trimmed);
    EXPECT_TRUE(is_sound_ipv4(kept, spec));
    write_16(&kept[14], read_16(&whole[14]));
    write_16(&kept[16], read_16(&whole[16]));
    write_16(&kept[24], read_16(&whole[24]));
    EXPECT_EQ(kept, Octets(whole.begin(), whole.begin() + 128));
}

TEST(CutPacket, OfIpv6WritesThePayloadLength) {
    SegmentSpec spec = datagram(1000);
    spec.is_ipv6 = true;
    const Octets kept = cut(spec);
    ASSERT_EQ(kept.size(), 128U);
    EXPECT_EQ(read_16(&kept[18]), 128 - 14 - 40);
    EXPECT_EQ(dscp_of(&kept[14]), dscp_trimmed);
}

TEST(CutPacket, StandsBehindTags) {
    for (const int tags : {1, 2}) {
        SegmentSpec spec = datagram(1000);
        spec.tags = tags;
        const Octets kept = cut(spec);
        ASSERT_EQ(kept.size(), 128U);
        EXPECT_EQ(read_16(&kept[spec.network() + 2]), 128 - spec.network());
        EXPECT_TRUE(is_sound_ipv4(kept, spec));
        EXPECT_EQ(read_16(&kept[12]), tags == 2 ? 0x88A8 : 0x8100);
    }
}

TEST(CutPacket, KeepsEcn) {
    for (const unsigned ecn : {0U, 1U, 2U, 3U}) {
        SegmentSpec spec = datagram(1000);
        Octets frame = frame_of(spec);
        frame[15] = static_cast<uint8_t>(ecn);
        EXPECT_EQ(cut(frame, 14)[15], dscp_trimmed << 2 | ecn);
        spec.is_ipv6 = true;
        frame = frame_of(spec);
        write_16(&frame[14], static_cast<uint16_t>(0x6000 | ecn << 4));
        EXPECT_EQ(read_16(&cut(frame, 14)[14]), 0x6000 | dscp_trimmed << 6 | ecn << 4);
    }
}

// More octets than requested are kept for options and for headers behind IP (UEC table 4-1).
TEST(CutPacket, KeepsTheHeaders) {
    SegmentSpec spec = datagram(1000);
    EXPECT_EQ(cut(spec, 20).size(), 14U + 20 + 24);
    spec.is_tcp = true;
    EXPECT_EQ(cut(spec, 20).size(), 14U + 20 + 20);
    spec.ip_options = 40;
    spec.tags = 2;
    EXPECT_EQ(cut(spec, 20).size(), 22U + 60 + 20);
}

TEST(CutPacket, KeepsTheInnerHeadersOfVxlan) {
    const SegmentSpec spec = datagram(1000);
    Octets frame = frame_of(spec);
    write_16(&frame[36], 4789);
    write_16(&frame[14 + 20 + 8 + 8 + 12], 0x0800);
    EXPECT_EQ(cut(frame, 14, 60).size(), 14U + 20 + 74);
    write_16(&frame[14 + 20 + 8 + 8 + 12], 0x86DD);
    EXPECT_EQ(cut(frame, 14, 60).size(), 14U + 20 + 94);
}

TEST(CutPacket, StepsOverExtensionHeaders) {
    SegmentSpec spec = datagram(1000);
    spec.is_ipv6 = true;
    Octets frame = frame_of(spec);
    frame[14 + 6] = 60;  // destination options of 16 octets, then UDP
    frame[54] = 17;
    frame[55] = 1;
    EXPECT_EQ(cut(frame, 14, 20).size(), 14U + 40 + 16 + 24);
    frame[54] = 44;
    EXPECT_TRUE(cut(frame, 14).empty()) << "a fragment";
    frame[54] = 43;
    frame[55] = 255;
    EXPECT_TRUE(cut(frame, 14).empty()) << "longer than the packet";
}

TEST(CutPacket, LeavesWhatWouldNotGetShorter) {
    const SegmentSpec spec = datagram(128 - 14 - 20 - 8);
    EXPECT_EQ(frame_of(spec).size(), 128U);
    EXPECT_TRUE(cut(spec).empty());
    EXPECT_EQ(cut(datagram(128 - 14 - 20 - 8 + 1)).size(), 128U);
}

TEST(CutPacket, LeavesFragments) {
    for (const int fragment : {0x2000, 0x0001, 0x2001}) {
        Octets frame = frame_of(datagram(1000));
        write_16(&frame[20], static_cast<uint16_t>(fragment));
        EXPECT_TRUE(cut(frame, 14).empty());
    }
}

TEST(CutPacket, LeavesWhatContradictsItself) {
    Octets frame = frame_of(datagram(1000));
    const auto length = static_cast<uint16_t>(frame.size() - 14);
    write_16(&frame[16], length + 1);
    EXPECT_TRUE(cut(frame, 14).empty()) << "longer than the frame";
    write_16(&frame[16], 19);
    EXPECT_TRUE(cut(frame, 14).empty()) << "shorter than its header";
    SegmentSpec spec = datagram(1000);
    spec.is_ipv6 = true;
    frame = frame_of(spec);
    write_16(&frame[18], 0);
    EXPECT_TRUE(cut(frame, 14).empty()) << "a jumbogram";
    write_16(&frame[18], 1009);
    EXPECT_TRUE(cut(frame, 14).empty()) << "longer than the frame";
}

// Octets behind the packet are cut first, and the packet may stay whole.
TEST(CutPacket, OfAPaddedFrameTheLengthStays) {
    Octets frame = frame_of(datagram(10));
    frame.resize(500);
    const Octets kept = cut(frame, 14);
    ASSERT_EQ(kept.size(), 128U);
    EXPECT_EQ(read_16(&kept[16]), 20 + 8 + 10);
}

// A receiver that verifies the checksum finds it as wrong as before.
TEST(CutPacket, AWrongChecksumStaysWrong) {
    const SegmentSpec spec = datagram(1000);
    Octets frame = frame_of(spec);
    frame[24] ^= 0x10;
    EXPECT_FALSE(is_sound_ipv4(cut(frame, 14), spec));
}

}  // namespace
}  // namespace sluice

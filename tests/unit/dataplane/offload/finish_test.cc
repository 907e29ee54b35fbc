#include "dataplane/offload/finish.h"

#include <gtest/gtest.h>

#include "tests/support/host_tunnels.h"
#include "tests/support/segments.h"

namespace sluice::offload {
namespace {

using test::CarrierSpec;
using test::Octets;
using test::SegmentSpec;

TEST(Finish, TheChecksumIsTheOneThatTheHostLeftOut) {
    for (const bool is_tcp : {true, false}) {
        for (const bool is_ipv6 : {true, false}) {
            for (const std::size_t payload : {0U, 1U, 2U, 3U, 1460U}) {
                const SegmentSpec spec{.is_ipv6 = is_ipv6, .is_tcp = is_tcp, .payload = payload};
                Octets octets = unfinished_frame_of(spec);
                EXPECT_NE(octets, frame_of(spec));
                ASSERT_TRUE(finish_checksum(octets, left_of(spec, 0)));
                EXPECT_EQ(octets, frame_of(spec)) << payload;
            }
        }
    }
}

TEST(FinishIfLeft, FindsOutWhatWasLeftAndLeavesAllElseAsItIs) {
    for (const bool is_tcp : {true, false}) {
        for (const bool is_ipv6 : {true, false}) {
            for (const int tags : {0, 1, 2}) {
                const SegmentSpec spec{
                    .is_ipv6 = is_ipv6, .is_tcp = is_tcp, .tags = tags, .payload = 333};
                const Octets whole = frame_of(spec);
                Octets octets = unfinished_frame_of(spec);
                ASSERT_TRUE(finish_if_left(octets));
                EXPECT_EQ(octets, whole);
                EXPECT_FALSE(finish_if_left(octets)) << "it is finished";
                EXPECT_EQ(octets, whole);
                octets.back() ^= 1;
                const Octets damaged = octets;
                EXPECT_FALSE(finish_if_left(octets));
                EXPECT_EQ(octets, damaged) << "stays damaged";
            }
        }
    }
}

TEST(FinishIfLeft, FindsOutWhatWasLeftInATunnel) {
    for (const auto kind : {CarrierSpec::vxlan, CarrierSpec::gre, CarrierSpec::ip}) {
        for (const bool is_ipv6 : {false, true}) {
            for (const bool has_sum : {false, true}) {
                const CarrierSpec spec{.kind = kind, .is_ipv6 = is_ipv6, .has_sum = has_sum};
                const SegmentSpec inner{.is_ipv6 = !is_ipv6, .tags = 1, .payload = 333};
                Octets octets = unfinished_frame_of(spec, inner);
                const Octets whole = carried_frame_of(spec, frame_of(inner), inner, 0);
                ASSERT_NE(octets, whole);
                ASSERT_TRUE(finish_if_left(octets)) << kind << is_ipv6 << has_sum;
                EXPECT_EQ(octets, whole);
                EXPECT_FALSE(finish_if_left(octets)) << "it is finished";
                octets.back() ^= 1;
                EXPECT_FALSE(finish_if_left(octets)) << "stays damaged";
            }
        }
    }
}

TEST(FinishIfLeft, IsNothingOfOtherFrames) {
    for (std::size_t length = 0; length < 100; ++length) {
        Octets octets(length, 0);
        EXPECT_FALSE(finish_if_left(octets)) << length;
    }
    Octets cut_short = unfinished_frame_of(SegmentSpec{.payload = 100});
    cut_short.resize(cut_short.size() - 1);
    EXPECT_FALSE(finish_if_left(cut_short));
}

// 0 in its place would mean that there is none (RFC 768).
TEST(Finish, AChecksumOfZeroIsWrittenAsAllOnes) {
    Octets octets{0xFF, 0xFF, 0, 0};
    ASSERT_TRUE(finish_checksum(octets, {.checksum = true, .checksum_offset = 2}));
    EXPECT_EQ(octets, (Octets{0xFF, 0xFF, 0xFF, 0xFF}));
}

TEST(Finish, APlaceOutsideOfTheFrameIsLeftAlone) {
    const Octets before(60, 7);
    Octets octets = before;
    EXPECT_FALSE(
        finish_checksum(octets, {.checksum = true, .checksum_start = 50, .checksum_offset = 9}));
    EXPECT_FALSE(finish_checksum(
        octets, {.checksum = true, .checksum_start = 65535, .checksum_offset = 65535}));
    EXPECT_EQ(octets, before);
    EXPECT_TRUE(
        finish_checksum(octets, {.checksum = true, .checksum_start = 50, .checksum_offset = 6}));
}

// A frame with an SCTP packet without its CRC, and `padding` behind the packet.
struct Sctp {
    bool is_ipv6 = false;
    int tags = 0;
    std::size_t payload = 22;
    std::size_t padding = 0;

    [[nodiscard]] SegmentSpec spec() const {
        return {.is_ipv6 = is_ipv6, .is_tcp = false, .tags = tags, .payload = payload};
    }
    [[nodiscard]] std::size_t protocol() const { return spec().network() + (is_ipv6 ? 6 : 9); }
    [[nodiscard]] Octets frame() const {
        Octets octets = frame_of(spec());
        octets[protocol()] = 132;
        octets.resize(octets.size() + padding, 0x5A);
        return octets;
    }
    [[nodiscard]] Unfinished left() const {
        return {.checksum = true,
                .checksum_start = static_cast<uint16_t>(spec().transport()),
                .checksum_offset = 8};
    }
};

// CRC32c by plain division; the four octets of the CRC itself count as zero.
uint32_t plain_crc(std::span<const uint8_t> packet) {
    uint32_t crc = 0xFFFFFFFF;
    for (std::size_t at = 0; at < packet.size(); ++at) {
        const bool is_place = 8 <= at && at < 12;
        for (int bit = 0; bit < 8; ++bit) {
            const uint32_t next = is_place ? 0 : packet[at] >> bit & 1U;
            crc = crc >> 1 ^ (((crc ^ next) & 1) != 0 ? 0x82F63B78 : 0);
        }
    }
    return ~crc;
}

TEST(Finish, SctpHasACrcInPlaceOfASum) {
    for (const bool is_ipv6 : {false, true}) {
        for (const int tags : {0, 1, 2}) {
            const Sctp sctp{.is_ipv6 = is_ipv6, .tags = tags};
            Octets octets = sctp.frame();
            const std::size_t start = sctp.left().checksum_start;
            ASSERT_TRUE(finish_checksum(octets, sctp.left()));
            const uint32_t crc = plain_crc(std::span(octets).subspan(start));
            Octets wanted = sctp.frame();
            for (std::size_t at = 0; at < 4; ++at) {
                wanted[start + 8 + at] = static_cast<uint8_t>(crc >> 8 * at);
            }
            EXPECT_EQ(octets, wanted) << is_ipv6 << tags;
        }
    }
}

// Whatever it holds: a network card leaves it out too.
TEST(Finish, TheCrcOfSctpEndsWithItsPacket) {
    for (const bool is_ipv6 : {false, true}) {
        Octets bare = Sctp{.is_ipv6 = is_ipv6, .payload = 6}.frame();
        const Sctp sctp{.is_ipv6 = is_ipv6, .payload = 6, .padding = 12};
        Octets padded = sctp.frame();
        ASSERT_TRUE(finish_checksum(bare, sctp.left()));
        ASSERT_TRUE(finish_checksum(padded, sctp.left()));
        bare.resize(padded.size(), 0x5A);
        EXPECT_EQ(padded, bare);
    }
}

TEST(Finish, WhatIsCalledSctpAndIsNoneStaysAsItIs) {
    const Sctp sctp;
    const auto stays = [&](Octets octets, const Unfinished& left) {
        const Octets before = octets;
        return !finish_checksum(octets, left) && octets == before;
    };
    Octets other = sctp.frame();
    other[sctp.protocol()] = 17;
    EXPECT_TRUE(stays(other, sctp.left())) << "UDP";
    Octets fragment = sctp.frame();
    fragment[sctp.spec().network() + 6] = 0x20;
    EXPECT_TRUE(stays(fragment, sctp.left())) << "more fragments follow";
    Octets cut_short = sctp.frame();
    cut_short.pop_back();
    EXPECT_TRUE(stays(cut_short, sctp.left())) << "its end is missing";
    Unfinished elsewhere = sctp.left();
    ++elsewhere.checksum_start;
    EXPECT_TRUE(stays(sctp.frame(), elsewhere)) << "it starts elsewhere";
    EXPECT_TRUE(stays(Sctp{.payload = 3}.frame(), sctp.left())) << "less than a header";
    for (std::size_t length = 0; length < 60; ++length) {
        EXPECT_TRUE(stays(Octets(length, 0), sctp.left())) << length;
    }
}

}  // namespace
}  // namespace sluice::offload

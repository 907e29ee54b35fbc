#include "dataplane/offload/finish.h"

#include <gtest/gtest.h>

#include "tests/support/segments.h"

namespace sluice::offload {
namespace {

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

// Its octets as they lie: "12345678", four of zero, and the CRC of all that by a plain division.
TEST(Finish, SctpHasACrcInPlaceOfASum) {
    Octets octets{0xAA, '1', '2', '3', '4', '5', '6', '7', '8', 9, 9, 9, 9, 'x', 'y'};
    ASSERT_TRUE(
        finish_checksum(octets, {.checksum = true, .checksum_start = 1, .checksum_offset = 8}));
    uint32_t crc = 0xFFFFFFFF;
    for (std::size_t at = 1; at < octets.size(); ++at) {
        const bool is_place = 9 <= at && at < 13;
        for (int bit = 0; bit < 8; ++bit) {
            const uint32_t next = is_place ? 0 : octets[at] >> bit & 1U;
            crc = crc >> 1 ^ (((crc ^ next) & 1) != 0 ? 0x82F63B78 : 0);
        }
    }
    for (std::size_t at = 0; at < 4; ++at) EXPECT_EQ(octets[9 + at], ~crc >> (8 * at) & 0xFF) << at;
    EXPECT_EQ(octets[0], 0xAA);
    EXPECT_FALSE(
        finish_checksum(octets, {.checksum = true, .checksum_start = 4, .checksum_offset = 8}));
}

}  // namespace
}  // namespace sluice::offload

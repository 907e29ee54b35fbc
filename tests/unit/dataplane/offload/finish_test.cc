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
        finish_checksum(octets, {.checksum = true, .checksum_start = 50, .checksum_offset = 8}));
}

}  // namespace
}  // namespace sluice::offload

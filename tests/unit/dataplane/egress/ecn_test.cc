#include "dataplane/egress/ecn.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "dataplane/types/address.h"
#include "dataplane/types/random.h"
#include "tests/support/octets.h"

namespace sluice {
namespace {

using namespace literals;

constexpr EcnSettings curve{.low = 100_KiB, .high = 400_KiB, .probability_65536 = 13107};  // 0.2

// --- the curve -----------------------------------------------------------------------------------

TEST(Ecn, MarksNothingBelowLowAndEverythingFromHighOn) {
    const Ecn ecn(curve);
    EXPECT_FALSE(ecn.acts(100_KiB - 1_B, 0));
    EXPECT_FALSE(ecn.acts(0_B, 0));
    EXPECT_TRUE(ecn.acts(400_KiB, UINT32_MAX));
    EXPECT_TRUE(ecn.acts(1_MiB, UINT32_MAX));
    EXPECT_FALSE(ecn.acts(400_KiB - 1_B, UINT32_MAX));
}

TEST(Ecn, OffItMarksNothing) {
    const Ecn ecn;
    EXPECT_FALSE(ecn.is_on());
    EXPECT_FALSE(ecn.acts(1_MiB, 0));
    EXPECT_FALSE(ecn.acts(0_B, 0));
}

class Marking : public testing::TestWithParam<int> {};

// A million frames at this share of the way from low to high.
TEST_P(Marking, IsAsOftenAsTheCurveSays) {
    const Ecn ecn(curve);
    const double way = GetParam() / 100.0;
    const Bytes depth(static_cast<int64_t>(1024 * (100 + 300 * way)));
    constexpr int frames = 1'000'000;
    Random random(7);
    int marked = 0;
    for (int frame = 0; frame < frames; ++frame) marked += ecn.acts(depth, random.next()) ? 1 : 0;
    const double expected = frames * 0.2 * way;
    EXPECT_LE(std::abs(marked - expected), expected * 0.02) << marked << " of " << expected;
}

INSTANTIATE_TEST_SUITE_P(OfTheWay, Marking, testing::Values(10, 25, 50, 75, 99));

TEST(Ecn, AStepMarksAllFromItsThresholdOn) {
    const Ecn ecn({.low = 64_KiB - 1_B, .high = 64_KiB, .probability_65536 = 65536});
    EXPECT_FALSE(ecn.acts(64_KiB - 2_B, 0));
    EXPECT_TRUE(ecn.acts(64_KiB, UINT32_MAX));
}

TEST(Ecn, ACurveOverTheLargestBufferStillRises) {
    const Ecn ecn({.low = 0_B, .high = 4096_MiB, .probability_65536 = 65536});
    EXPECT_TRUE(ecn.acts(2048_MiB, (1U << 31) - 1000));
    EXPECT_FALSE(ecn.acts(2048_MiB, (1U << 31) + 1000));
}

// --- the mark ------------------------------------------------------------------------------------

// The checksum as RFC 1071 has it: 0 over a header that is right.
uint16_t checksum_of(const test::Octets& header) {
    uint32_t sum = 0;
    for (std::size_t at = 0; at < header.size(); at += 2) sum += read_16(&header[at]);
    while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
}

test::Octets ipv4(uint8_t type_of_service, uint16_t identification) {
    test::Octets header = test::hex("4500 0054 0000 4000 4011 0000 0a000001 0a000002");
    header[1] = type_of_service;
    write_16(&header[4], identification);
    write_16(&header[10], checksum_of(header));
    return header;
}

TEST(CongestionMark, IsSetInIpv4AndTheChecksumStaysRight) {
    for (const int dscp : {0, 26, 46, 63}) {
        for (const int ecn : {1, 2}) {
            for (unsigned identification = 0; identification <= 0xFFFF; ++identification) {
                const auto type = static_cast<uint8_t>(dscp << 2 | ecn);
                test::Octets header = ipv4(type, static_cast<uint16_t>(identification));
                ASSERT_TRUE(mark_congestion(header.data()));
                ASSERT_EQ(header[1], dscp << 2 | 3);
                ASSERT_EQ(checksum_of(header), 0) << identification;
            }
        }
    }
}

TEST(CongestionMark, IsForEcnCapableTransportsOnly) {
    for (const int ecn : {0, 3}) {
        test::Octets header = ipv4(static_cast<uint8_t>(26 << 2 | ecn), 1);
        const test::Octets before = header;
        EXPECT_FALSE(mark_congestion(header.data()));
        EXPECT_EQ(header, before);
    }
}

TEST(CongestionMark, IsSetInIpv6) {
    test::Octets header(40);
    header[0] = 0x6A;  // traffic class 0xA9: DSCP 42, ECT(1)
    header[1] = 0x9F;  // and a flow label
    ASSERT_TRUE(mark_congestion(header.data()));
    EXPECT_EQ(header[0], 0x6A);
    EXPECT_EQ(header[1], 0xBF);
    EXPECT_FALSE(mark_congestion(header.data()));
    header[1] = 0x8F;  // not capable
    EXPECT_FALSE(mark_congestion(header.data()));
    EXPECT_EQ(header[1], 0x8F);
}

TEST(Ecn, WhoIsCapableOfItSaysSoInItsHeader) {
    for (uint8_t ecn = 0; ecn < 4; ++ecn) {
        const std::array<uint8_t, 20> version_4{0x45, static_cast<uint8_t>(0x28 | ecn)};
        const std::array<uint8_t, 40> version_6{0x60, static_cast<uint8_t>(ecn << 4 | 0x0F)};
        EXPECT_EQ(is_ecn_capable(version_4.data()), ecn != 0) << int{ecn};
        EXPECT_EQ(is_ecn_capable(version_6.data()), ecn != 0) << int{ecn};
    }
}

}  // namespace
}  // namespace sluice

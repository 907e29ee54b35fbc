#include "dataplane/egress/shaper.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <tuple>

namespace sluice {
namespace {

using namespace literals;

constexpr int64_t burst_nanos = 20'000;

// Sends as much as it may until `end`, asked every `poll`; returns the octets on the wire.
int64_t send(Shaper& shaper, Bytes length, Nanos start, Nanos end, Nanos poll) {
    int64_t octets = 0;
    for (Nanos now = start; now <= end; now += poll) {
        shaper.advance(now);
        while (shaper.open()) {
            shaper.charge(length);
            octets += length.count() + wire_overhead.count();
        }
    }
    return octets;
}

TEST(Shaper, WithoutARateNeverCloses) {
    Shaper shaper;
    shaper.configure(BitsPerSecond(0));
    EXPECT_FALSE(shaper.limits());
    for (int frame = 0; frame < 1000; ++frame) {
        EXPECT_TRUE(shaper.open());
        shaper.charge(9000_B);
    }
}

TEST(Shaper, AFrameClosesItForItsTimeOnTheWire) {
    Shaper shaper;
    shaper.configure(1_Gbps);
    shaper.advance(1_s);
    while (shaper.open()) shaper.charge(976_B);  // 1000 with its overhead: 8 us
    shaper.refund(976_B);                        // exactly at 20 us spent: 4 us left
    EXPECT_TRUE(shaper.open());
    shaper.charge(976_B);
    EXPECT_FALSE(shaper.open());
    shaper.advance(1_s + 3_us);
    EXPECT_FALSE(shaper.open());
    shaper.advance(1_s + 4_us);
    EXPECT_TRUE(shaper.open());
}

TEST(Shaper, IdlenessSavesAtMostTheBurst) {
    Shaper shaper;
    shaper.configure(10_Gbps);
    send(shaper, 1500_B, 0_s, 1_ms, 1_us);
    shaper.advance(3600_s);
    int64_t octets = 0;
    while (shaper.open()) {
        shaper.charge(1500_B);
        octets += 1524;
    }
    EXPECT_LE(octets, burst_nanos * 10 / 8 + 1524);
}

TEST(Shaper, ARefundGivesTheTimeBack) {
    Shaper shaper;
    shaper.configure(1_Gbps);
    send(shaper, 1500_B, 0_s, 1_ms, 1_us);
    EXPECT_FALSE(shaper.open());
    shaper.refund(1500_B);
    EXPECT_TRUE(shaper.open());
}

class ShaperRate : public testing::TestWithParam<std::tuple<int64_t, int, int>> {};

// Over any time t no more than rate x t + burst + one frame; and no less than the rate, as long as
// it is polled within the burst.
TEST_P(ShaperRate, IsHeldFromAboveAndBelow) {
    const auto [rate, length, poll] = GetParam();
    Shaper shaper;
    shaper.configure(BitsPerSecond(rate));
    const Bytes frame(length);
    const Nanos start = 5_s;
    for (const Nanos span : {100_us, 3_ms, 100_ms}) {
        Shaper fresh = shaper;
        const int64_t octets = send(fresh, frame, start, start + span, Nanos(poll));
        const double allowed =
            static_cast<double>(rate) / 8e9 * static_cast<double>(span.count() + burst_nanos);
        const double one_frame = length + wire_overhead.count();
        EXPECT_LE(static_cast<double>(octets), allowed + one_frame + 1) << span.count();
        EXPECT_GE(
            static_cast<double>(octets),
            static_cast<double>(rate) / 8e9 * static_cast<double>(span.count() - poll) * 0.9999)
            << span.count();
    }
}

INSTANTIATE_TEST_SUITE_P(RatesLengthsAndPolls, ShaperRate,
                         testing::Combine(testing::Values(100'000'000, 1'000'000'000, 3'000'000'000,
                                                          7'000'000'000, 10'000'000'000,
                                                          100'000'000'000, 300'000'000'000),
                                          testing::Values(60, 1518, 9000),
                                          testing::Values(500, 10'000)),
                         [](const auto& instance) {
                             return std::to_string(std::get<0>(instance.param) / 1'000'000) + "M" +
                                    std::to_string(std::get<1>(instance.param)) + "octets" +
                                    std::to_string(std::get<2>(instance.param)) + "ns";
                         });

TEST(Shaper, SlowRatesDoNotWrap) {
    Shaper shaper;
    shaper.configure(BitsPerSecond(1000));
    shaper.advance(1_s);
    ASSERT_TRUE(shaper.open());
    shaper.charge(9000_B);  // 72.192 s on the wire
    for (Nanos now = 1_s; now < 73_s; now += 100_ms) {
        shaper.advance(now);
        ASSERT_FALSE(shaper.open()) << now.count();
    }
    shaper.advance(74_s);
    EXPECT_TRUE(shaper.open());
}

}  // namespace
}  // namespace sluice

#include "dataplane/types/units.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "dataplane/types/limits.h"

namespace sluice {
namespace {

using namespace literals;

template <class A, class B>
concept Adds = requires(A a, B b) { a + b; };
template <class A, class B>
concept Compares = requires(A a, B b) { a < b; };

TEST(Units, DoNotMix) {
    static_assert(Adds<Bytes, Bytes>);
    static_assert(!Adds<Bytes, Nanos>);
    static_assert(!Adds<Bytes, int>);
    static_assert(!Compares<Nanos, Quanta>);
    static_assert(!std::is_convertible_v<int64_t, Bytes>);
    static_assert(!std::is_convertible_v<Bytes, int64_t>);
    static_assert(!std::is_constructible_v<Bytes, Nanos>);
}

TEST(Units, LiteralsScale) {
    EXPECT_EQ(3_KiB, 3072_B);
    EXPECT_EQ(2_MiB, 2048_KiB);
    EXPECT_EQ(5_us, 5000_ns);
    EXPECT_EQ(1_s, 1000_ms);
    EXPECT_EQ((100_Gbps).count(), 100'000'000'000);
}

TEST(Units, DifferencesMayBeNegative) {
    EXPECT_EQ((1_KiB - 2_KiB).count(), -1024);
    EXPECT_LT(1_KiB - 2_KiB, 0_B);
    Bytes held = 10_B;
    held -= 4_B;
    held += 1_B;
    EXPECT_EQ(held, 7_B);
    EXPECT_EQ(held * 3 / 2, 10_B);
}

TEST(Units, TransmissionTimeIsThatOfTheLink) {
    EXPECT_EQ(transmission_time(1500_B, 10_Gbps), 1200_ns);
    EXPECT_EQ(transmission_time(64_B, 1_Gbps), 512_ns);
    EXPECT_EQ(transmission_time(0_B, 1_Gbps), 0_ns);
}

TEST(Units, TimesAreRoundedUp) {
    EXPECT_EQ(transmission_time(1_B, 100_Gbps), 1_ns);  // 0.08
    EXPECT_EQ(bit_time(10, 3_Gbps), 4_ns);              // 3.33
}

TEST(Units, AnHourAtATerabitDoesNotWrap) {
    const Bytes hour = Bytes(int64_t{3600} * 1'000'000'000'000 / 8);
    EXPECT_EQ(transmission_time(hour, 1000_Gbps), 3600_s);
}

TEST(Units, AQuantumIs512BitTimes) {
    EXPECT_EQ(pause_time(1_quanta, 1_Gbps), 512_ns);
    EXPECT_EQ(pause_time(65535_quanta, 10_Gbps), 3'355'392_ns);
    EXPECT_EQ(pause_time(65535_quanta, 400_Gbps), 83'885_ns);  // 83884.8
}

TEST(Limits, ASetOfPortsIsOneWord) {
    EXPECT_EQ(first_ports(0), 0U);
    EXPECT_EQ(first_ports(3), 0b111U);
    EXPECT_EQ(first_ports(64), ~PortSet{0});
    EXPECT_EQ(only(63), PortSet{1} << 63);
    EXPECT_EQ(only_priority(7), 0x80);
}

}  // namespace
}  // namespace sluice

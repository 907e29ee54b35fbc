#include "dataplane/egress/egress.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace sluice {
namespace {

using namespace literals;

constexpr Bytes quantum = 4096_B;

// Frames are written as digits: a frame of priority 3 is a '3'. They are numbered as they go in, so
// that order shows.
class Port : public Egress {
  public:
    explicit Port(const PortSettings& settings = {}) { configure(settings, quantum, 1); }

    // Makes one transfer for each priority, in the order of the text.
    void give(std::string_view digits, uint16_t length = 500) {
        for (std::size_t at = 0; at < digits.size();) {
            const std::size_t end = digits.find_first_not_of(digits[at], at);
            std::vector<Frame> frames;
            for (; at < std::min(end, digits.size()); ++at) {
                Frame frame;
                frame.priority = static_cast<Priority>(digits[at] - '0');
                frame.length = length;
                frame.vlan = next_number_++;
                frames.push_back(frame);
            }
            push(frames);
        }
    }
    std::string take(std::size_t burst, Nanos now = 1_s) {
        burst_.assign(burst, Frame{});
        burst_.resize(select(burst_, now));
        return text(burst_);
    }
    // The device took `sent` of the last burst.
    void refuse_after(std::size_t sent) { put_back(burst_, sent); }
    const std::vector<Frame>& burst() const { return burst_; }

    static PrioritySet bit_of(char digit) {
        return only_priority(static_cast<Priority>(digit - '0'));
    }
    static std::string text(std::span<const Frame> frames) {
        std::string digits;
        for (const Frame& frame : frames) digits += static_cast<char>('0' + frame.priority);
        return digits;
    }

  private:
    std::vector<Frame> burst_;
    VlanId next_number_ = 0;
};

PauseFrame pause(PrioritySet priorities, uint16_t quanta) {
    PauseFrame frame;
    frame.enabled = priorities;
    frame.time.fill(quanta);
    return frame;
}

TEST(Egress, SendsTheHighestFirst) {
    Port port;
    port.give("0033771");
    EXPECT_EQ(port.take(64), "7733100");
    EXPECT_TRUE(port.empty());
    EXPECT_EQ(port.take(64), "");
}

TEST(Egress, FillsTheBurstAndNoMore) {
    Port port;
    port.give("0033771");
    EXPECT_EQ(port.take(3), "773");
    EXPECT_EQ(port.take(3), "310");
    EXPECT_EQ(port.take(3), "0");
}

TEST(Egress, WeightedPrioritiesShare) {
    PortSettings settings;
    settings.scheduler.discipline.fill(Discipline::wrr);
    settings.scheduler.weight = {1, 1, 1, 2, 1, 1, 1, 1};
    Port port(settings);
    port.give("000000333333");
    EXPECT_EQ(port.take(64), "330330330000");
}

TEST(Egress, APausedPriorityIsSkippedAndNobodyWaits) {
    PortSettings settings;
    settings.pfc.lossless = 0x80;
    Port port(settings);
    port.give("00777");
    port.gate().receive(pause(0xFF, 1000), 1_s);  // 51.2 us
    EXPECT_EQ(port.take(64, 1_s), "00");
    EXPECT_EQ(port.take(64, 1_s + 51_us), "");
    EXPECT_EQ(port.take(64, 1_s + 52_us), "777");
}

TEST(Egress, WhatTheDeviceRefusedComesFirstAgain) {
    Port port;
    port.give("0011777");
    EXPECT_EQ(port.take(6), "777110");
    port.refuse_after(1);
    EXPECT_EQ(port.waiting(), 6U);
    EXPECT_EQ(port.take(64), "771100");
    std::vector<VlanId> numbers;
    for (const Frame& frame : port.burst()) numbers.push_back(frame.vlan);
    EXPECT_EQ(numbers, (std::vector<VlanId>{5, 6, 2, 3, 0, 1}));
}

TEST(Egress, WhatTheDeviceRefusedObeysAPauseInBetween) {
    PortSettings settings;
    settings.pfc.lossless = 0x08;
    Port port(settings);
    port.give("0333");
    EXPECT_EQ(port.take(64), "3330");
    port.refuse_after(1);
    port.gate().receive(pause(0x08, 65535), 1_s);
    EXPECT_EQ(port.take(64), "0");
    EXPECT_EQ(port.waiting(), 2U);
}

TEST(Egress, WhatTheLinkHoldsIsSkippedUntilItSaysOtherwise) {
    PortSettings settings;
    settings.pfc.lossless = 0x80;
    Port port(settings);
    port.give("0033777");
    port.block(0x08);
    EXPECT_EQ(port.take(64), "77700");
    port.give("777");
    port.gate().receive(pause(0x80, 1000), 1_s);
    EXPECT_EQ(port.take(64), "") << "the one is paused, the other held";
    port.block(0);
    EXPECT_EQ(port.take(64), "33");
    port.block(0x80);
    EXPECT_EQ(port.take(64, 1_s + 52_us), "") << "the pause is over, and still it is held";
}

TEST(Egress, WhatIsHeldForThePeerIsSkippedWhateverTheLinkSays) {
    PortSettings settings;
    settings.dcbx_held = 0x08;
    Port port(settings);
    port.give("0033");
    port.block(0);
    EXPECT_EQ(port.take(64), "00");
    EXPECT_EQ(port.waiting(), 2U);
    port.configure(PortSettings{}, quantum, 1);
    EXPECT_EQ(port.take(64), "33");
}

TEST(Egress, WhatTheDeviceRefusedStaysBehindWhatTheLinkHolds) {
    Port port;
    port.give("0333");
    EXPECT_EQ(port.take(64), "3330");
    port.refuse_after(1);
    port.block(0x08);
    EXPECT_EQ(port.take(64), "0");
}

// A device slower than the switch refuses most of every burst. Refused frames must leave no trace:
// the shares are those of the accepted frames, as long as each priority keeps a frame (a queue of
// this quantum holds three of 1500 octets).
class Refusals : public testing::TestWithParam<std::tuple<Discipline, int, int, int>> {};

TEST_P(Refusals, DoNotBendTheShares) {
    const auto [discipline, weight, length, accepted] = GetParam();
    PortSettings settings;
    settings.scheduler.discipline.fill(discipline);
    settings.scheduler.weight[3] = static_cast<uint16_t>(weight);
    Port port(settings);
    int threes = 0;
    constexpr int frames = 6000;
    for (int sent = 0; sent < frames; sent += accepted) {
        for (const char digit : {'0', '3'}) {
            const PrioritySet bit = Port::bit_of(digit);
            while ((port.room() & bit) != 0)
                port.give(std::string(1, digit), static_cast<uint16_t>(length));
        }
        port.take(64);
        port.refuse_after(static_cast<std::size_t>(accepted));
        for (const Frame& frame :
             std::span(port.burst()).first(static_cast<std::size_t>(accepted))) {
            threes += frame.priority == 3 ? 1 : 0;
        }
    }
    const double share = static_cast<double>(weight) / (weight + 1);
    EXPECT_NEAR(threes, frames * share, frames * 0.005);
}

INSTANTIATE_TEST_SUITE_P(DisciplineWeightLengthAccepted, Refusals,
                         testing::Combine(testing::Values(Discipline::wrr, Discipline::dwrr),
                                          testing::Values(1, 2, 10), testing::Values(64, 1500),
                                          testing::Values(1, 3)));

TEST(Egress, OffersRoomForWhatIsBelowAQuantum) {
    Port port;
    EXPECT_EQ(port.room(), 0xFF);
    port.give("33333333", 512);  // 4096: a quantum
    EXPECT_EQ(port.room(), 0b1111'0111);
    port.take(1);
    EXPECT_EQ(port.room(), 0xFF);
    port.refuse_after(0);
    EXPECT_EQ(port.room(), 0b1111'0111);
}

TEST(Egress, ASmallerQuantumMeansLessRoomAtOnce) {
    Port port;
    port.give("5555", 512);
    EXPECT_EQ(port.room(), 0xFF);
    port.configure({}, 2048_B, 1);
    EXPECT_EQ(port.room(), 0b1101'1111);
}

TEST(Egress, TheShaperHoldsTheWholePort) {
    PortSettings settings;
    settings.rate = 1_Gbps;
    Port port(settings);
    port.give("0000077777", 976);  // 8 us each on the wire, 20 us of burst
    EXPECT_EQ(port.take(64, 1_s), "777");
    EXPECT_EQ(port.take(64, 1_s + 4_us), "7");
    EXPECT_EQ(port.take(64, 1_s + 11_us), "");
    EXPECT_EQ(port.take(64, 1_s + 12_us), "7");
    EXPECT_EQ(port.take(64, 1_s + 20_us), "0");
}

TEST(Egress, WhatWasRefusedCostsNoRate) {
    PortSettings settings;
    settings.rate = 1_Gbps;
    Port port(settings);
    port.give("77777", 976);
    EXPECT_EQ(port.take(64, 1_s), "777");
    port.refuse_after(0);
    EXPECT_EQ(port.take(64, 1_s), "777");
}

TEST(Egress, APortThatIsDownIsEmptiedWhateverThePause) {
    PortSettings settings;
    settings.pfc.lossless = 0xFF;
    Port port(settings);
    port.give("0033777");
    port.gate().receive(pause(0xFF, 65535), 1_s);
    EXPECT_EQ(port.take(64, 1_s), "");
    std::vector<Frame> out(5);
    EXPECT_EQ(port.take_any(0xFF, out), 5U);
    EXPECT_EQ(Port::text(out), "77733");
    EXPECT_EQ(port.take_any(0xFF, out), 2U);
    EXPECT_TRUE(port.empty());
    EXPECT_EQ(port.room(), 0xFF);
}

TEST(Egress, PrioritiesOfOneTrafficClassShareIt) {
    PortSettings settings;
    settings.scheduler.traffic_class = {0, 0, 0, 3, 3, 3, 3, 7};
    Port port(settings);
    port.give("000333444777");
    EXPECT_EQ(port.take(64), "777434343000");
}

TEST(Egress, IsCongestedFromXoffUntilXon) {
    PortSettings settings;
    settings.pfc = {.lossless = 0b0000'1000, .trigger = PauseTrigger::egress};
    Egress egress;
    egress.configure(settings, 4096_B, 1);
    const auto congested_at = [&](Bytes depth, Bytes xoff, Bytes xon) {
        std::array<Bytes, max_priorities> depths;
        depths[3] = depth;
        egress.detect_congestion(depths, xoff, xon);
        return egress.congested() != 0;
    };
    EXPECT_FALSE(congested_at(9_KiB, 10_KiB, 8_KiB));
    EXPECT_TRUE(congested_at(10_KiB, 10_KiB, 8_KiB));
    EXPECT_TRUE(congested_at(8_KiB + 1_B, 10_KiB, 8_KiB));
    EXPECT_FALSE(congested_at(8_KiB, 10_KiB, 8_KiB));
    EXPECT_TRUE(congested_at(8_KiB, 8_KiB, 6_KiB));  // no deeper than before, and less is free
    EXPECT_TRUE(congested_at(1_B, 0_B, 0_B));
    EXPECT_FALSE(congested_at(0_B, 0_B, 0_B));
}

}  // namespace
}  // namespace sluice

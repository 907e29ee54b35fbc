#include "tools/gen/pattern.h"

#include <gtest/gtest.h>

#include <map>

#include "tools/gen/pacer.h"

namespace sluice::gen {
namespace {

using namespace literals;

PatternSettings shaped(Shape shape, PortIndex ports) {
    PatternSettings settings;
    settings.shape = shape;
    settings.ports = ports;
    return settings;
}

std::map<int, int> receivers(const PatternSettings& settings, PortIndex sender, int frames) {
    Pattern pattern(settings, sender);
    std::map<int, int> seen;
    for (int n = 0; n < frames; ++n) ++seen[pattern.next(settings.priorities).receiver];
    return seen;
}

PortSet senders(const PatternSettings& settings) {
    PortSet all = 0;
    for (PortIndex port = 0; port < settings.ports; ++port) {
        if (sends(settings, port)) all |= only(port);
    }
    return all;
}

TEST(Pattern, UniformGoesToEveryOtherPortEvenly) {
    const auto seen = receivers(shaped(Shape::uniform, 4), 2, 30'000);
    ASSERT_EQ(seen.size(), 3U);
    EXPECT_FALSE(seen.contains(2));
    for (const auto& [port, frames] : seen) EXPECT_NEAR(frames, 10'000, 400) << port;
}

TEST(Pattern, IncastGoesToPort0WhichSendsNothing) {
    EXPECT_EQ(receivers(shaped(Shape::incast, 4), 3, 100), (std::map<int, int>{{0, 100}}));
    EXPECT_EQ(senders(shaped(Shape::incast, 4)), PortSet{0b1110});
}

TEST(Pattern, PairsAreAPermutationWithoutFixedPoints) {
    for (const PortIndex ports : std::to_array<PortIndex>({2, 3, 4, 7, 64})) {
        PortSet reached = 0;
        for (PortIndex sender = 0; sender < ports; ++sender) {
            const auto seen = receivers(shaped(Shape::pairs, ports), sender, 3);
            ASSERT_EQ(seen.size(), 1U);
            EXPECT_NE(seen.begin()->first, sender);
            reached |= only(static_cast<PortIndex>(seen.begin()->first));
        }
        EXPECT_EQ(reached, first_ports(ports));
    }
}

TEST(Pattern, EvenPairsTalkToEachOther) {
    EXPECT_EQ(receivers(shaped(Shape::pairs, 4), 1, 1).begin()->first, 3);
    EXPECT_EQ(receivers(shaped(Shape::pairs, 4), 3, 1).begin()->first, 1);
}

TEST(Pattern, TheLowerHalfGoesToTheUpperEvenly) {
    const PatternSettings halves = shaped(Shape::halves, 5);
    EXPECT_EQ(senders(halves), PortSet{0b00011});
    const auto seen = receivers(halves, 1, 30'000);
    ASSERT_EQ(seen.size(), 3U);
    for (const int port : {2, 3, 4}) EXPECT_NEAR(seen.at(port), 10'000, 400) << port;
}

TEST(Pattern, AcrossGoesFromEitherHalfToTheOther) {
    const PatternSettings across = shaped(Shape::across, 5);
    EXPECT_EQ(senders(across), PortSet{0b11111});
    const auto up = receivers(across, 1, 30'000);
    ASSERT_EQ(up.size(), 3U);
    for (const int port : {2, 3, 4}) EXPECT_NEAR(up.at(port), 10'000, 400) << port;
    const auto down = receivers(across, 4, 30'000);
    ASSERT_EQ(down.size(), 2U);
    for (const int port : {0, 1}) EXPECT_NEAR(down.at(port), 15'000, 400) << port;
}

TEST(Pattern, TheFourthOfABlockGetsTooMuch) {
    const PatternSettings congestion = shaped(Shape::congestion, 10);
    EXPECT_EQ(senders(congestion), PortSet{0b0000110011});
    EXPECT_EQ(receivers(congestion, 5, 100), (std::map<int, int>{{7, 100}}));
    const auto seen = receivers(congestion, 4, 30'000);
    ASSERT_EQ(seen.size(), 2U);
    for (const int port : {6, 7}) EXPECT_NEAR(seen.at(port), 15'000, 400) << port;
    EXPECT_EQ(senders(shaped(Shape::congestion, 3)), PortSet{0});
}

TEST(Pattern, ABroadcastIsAFlowToItsSender) {
    const PatternSettings broadcast = shaped(Shape::broadcast, 4);
    EXPECT_EQ(senders(broadcast), PortSet{0b1111});
    EXPECT_EQ(receivers(broadcast, 2, 100), (std::map<int, int>{{2, 100}}));
}

TEST(Pattern, PrioritiesAreDrawnEvenlyFromTheEligible) {
    PatternSettings settings = shaped(Shape::uniform, 4);
    settings.priorities = 0b0010'1001;
    Pattern pattern(settings, 0);
    std::map<int, int> seen;
    for (int n = 0; n < 30'000; ++n) ++seen[pattern.next(0xFF).priority];
    ASSERT_EQ(seen.size(), 3U);
    for (const int priority : {0, 3, 5}) EXPECT_NEAR(seen[priority], 10'000, 400) << priority;
    for (int n = 0; n < 100; ++n) EXPECT_EQ(pattern.next(0b0010'0000).priority, 5);
}

TEST(Pattern, IsConstantWhereThereIsNothingToDraw) {
    const auto is_constant = [](PatternSettings settings, PrioritySet priorities, FrameMix frames) {
        settings.priorities = priorities;
        settings.frames = frames;
        return Pattern(settings, 1).is_constant();
    };
    const PatternSettings pairs = shaped(Shape::pairs, 4);
    EXPECT_TRUE(is_constant(pairs, 0b100, FrameMix::fixed(64)));
    EXPECT_FALSE(is_constant(pairs, 0b101, FrameMix::fixed(64)));
    EXPECT_FALSE(is_constant(pairs, 0b100, FrameMix::imix()));
    EXPECT_TRUE(is_constant(shaped(Shape::uniform, 2), 0b100, FrameMix::fixed(64)));
    EXPECT_FALSE(is_constant(shaped(Shape::uniform, 4), 0b100, FrameMix::fixed(64)));
}

TEST(Pattern, ImixIsSevenFourOne) {
    PatternSettings settings = shaped(Shape::incast, 2);
    settings.frames = FrameMix::imix();
    Pattern pattern(settings, 1);
    std::array<int, 3> seen{};
    for (int n = 0; n < 120'000; ++n) ++seen[pattern.next(1).part];
    EXPECT_NEAR(seen[0], 70'000, 1000);
    EXPECT_NEAR(seen[1], 40'000, 1000);
    EXPECT_NEAR(seen[2], 10'000, 1000);
    EXPECT_NEAR(settings.frames.mean(), (7 * 64 + 4 * 594 + 1518) / 12.0, 1e-9);
}

TEST(Pattern, ASeedIsTheWholeStory) {
    PatternSettings settings = shaped(Shape::uniform, 16);
    settings.priorities = 0xFF;
    const auto first_20 = [&](uint64_t seed, PortIndex sender) {
        settings.seed = seed;
        Pattern pattern(settings, sender);
        std::vector<int> drawn;
        for (int n = 0; n < 20; ++n) {
            const auto draw = pattern.next(0xFF);
            drawn.push_back(draw.receiver * 8 + draw.priority);
        }
        return drawn;
    };
    EXPECT_EQ(first_20(7, 3), first_20(7, 3));
    EXPECT_NE(first_20(7, 3), first_20(8, 3));
    EXPECT_NE(first_20(7, 3), first_20(7, 4));
}

TEST(Pattern, KnowsItsShapesByName) {
    EXPECT_EQ(shape_named("incast"), Shape::incast);
    EXPECT_EQ(shape_named("Incast"), std::nullopt);
}

// Frames of `octets` that go within `time`, looked at every `step`.
int64_t sent_within(Nanos time, Nanos step, Rate rate, uint16_t octets) {
    Pacer pacer(rate, Nanos(0));
    int64_t sent = 0;
    for (Nanos now; now <= time; now += step) {
        for (pacer.advance(now); pacer.due(); pacer.charge(octets)) ++sent;
    }
    return sent;
}

TEST(Pacer, KeepsFramesASecond) {
    EXPECT_EQ(sent_within(1_s, 1_us, Rate::frames(1'000'000), 64), 1'000'001);
    EXPECT_EQ(sent_within(1_s, 7_us, Rate::frames(300), 64), 300);
}

TEST(Pacer, CountsPreambleAndGapAsBits) {
    // 10G carries 14.88 million frames of 64 octets a second (RFC 2544 and every data sheet).
    EXPECT_NEAR(static_cast<double>(sent_within(100_ms, 10_us, Rate::bits(10'000'000'000), 64)),
                1'488'095, 10);
}

TEST(Pacer, CatchesUpAfterATimeSliceButNotAfterAPause) {
    EXPECT_EQ(sent_within(1_s, 5_ms, Rate::frames(100'000), 64), 100'001);
    Pacer pacer(Rate::frames(100'000), Nanos(0));
    pacer.advance(60_s);
    int burst = 0;
    for (; pacer.due(); pacer.charge(64)) ++burst;
    EXPECT_EQ(burst, 1001);  // 10 ms
}

}  // namespace
}  // namespace sluice::gen

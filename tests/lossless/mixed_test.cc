// Mixed traffic: a lossy priority floods the pool that it shares with a lossless incast.
//
//   ports 1 to 4   send priority 3, lossless, to port 0
//   ports 5 to 8   send priority 0, lossy, to port 0, which serves both by DWRR
// The pool is small and the lossy threshold high, so the flood takes what there is.
#include <gtest/gtest.h>

#include <string>

#include "tests/lossless/star.h"

namespace sluice::test {
namespace {

constexpr PortIndex target = 0;
constexpr std::size_t frames = 400'000 / LOSSLESS_SHARE;

Settings flooded(const StarSpec& spec) {
    Settings settings = settings_of(spec);
    settings.buffer.alpha_128 = 16384;
    for (PortSettings& port : settings.ports) {
        port.scheduler.discipline[lossy] = port.scheduler.discipline[lossless] = Discipline::dwrr;
    }
    return settings;
}

// By the longest frames.
class MixedTest : public testing::TestWithParam<int64_t> {
  protected:
    const Mix mix_{64, GetParam()};
};

TEST_P(MixedTest, AFloodOfLossyFramesTakesNothingFromALosslessIncast) {
    const StarSpec spec{.hosts = 9, .response = Nanos(20'000), .max_frame = Bytes(GetParam())};
    Star star(spec, flooded(spec));
    for (PortIndex port = 1; port <= 4; ++port) {
        star.add_flow(port, target, lossless, mix_);
        star.add_flow(static_cast<PortIndex>(port + 4), target, lossy, mix_);
    }
    star.start();
    EXPECT_TRUE(star.network.run_until([&] { return star.received(lossless) >= frames; },
                                       Nanos(10'000'000'000)));
    star.drain();

    EXPECT_TRUE(star.lost_nothing_lossless());
    EXPECT_TRUE(star.at_rest());
    const uint64_t dropped = star.node.drops(Drop::over_threshold);
    EXPECT_GT(dropped, frames) << "it was no flood";
    EXPECT_EQ(star.node.dropped_in_all(), dropped);
    EXPECT_EQ(star.sent(lossy), star.received(lossy) + dropped);
    EXPECT_GT(star.received(lossy), frames / 2) << "DWRR shares the port";
    EXPECT_LE(star.pool_overdrawn().count(), star.longest_charge().count() * 4);
}

TEST_P(MixedTest, OneSenderOfBothIsPausedForTheLosslessAlone) {
    const StarSpec spec{.hosts = 4, .response = Nanos(20'000), .max_frame = Bytes(GetParam())};
    Star star(spec, flooded(spec));
    for (PortIndex port = 1; port < 4; ++port) {
        star.add_flow(port, target, lossless, mix_);
        star.add_flow(port, target, lossy, mix_);
    }
    star.start();
    EXPECT_TRUE(star.network.run_until([&] { return star.received(lossless) >= frames / 4; },
                                       Nanos(10'000'000'000)));
    star.drain();

    EXPECT_TRUE(star.lost_nothing_lossless());
    EXPECT_TRUE(star.at_rest());
    const uint64_t dropped = star.node.drops(Drop::over_threshold);
    EXPECT_GT(dropped, 0U);
    EXPECT_EQ(star.sent(lossy), star.received(lossy) + dropped);
    EXPECT_GT(star.sent(lossy), star.sent(lossless)) << "the pauses held the lossy ones too";
}

INSTANTIATE_TEST_SUITE_P(Longest, MixedTest, testing::Values(1522, 9216),
                         [](const auto& longest) { return std::to_string(longest.param); });

}  // namespace
}  // namespace sluice::test

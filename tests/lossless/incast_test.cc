// Incast: 3, 7 and 15 hosts send to one at line rate, and the switch loses nothing, however short
// the frames and however slowly, within the configured `response`, the hosts obey its pauses.
//
// Each line of the table is a run of `frames_a_run` frames at 10 Gb/s over 5 m. The host that all
// send to answers with largest frames of a lossy priority, so that pause frames have to wait.
#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <string>
#include <vector>

#include "tests/lossless/star.h"

namespace sluice::test {
namespace {

constexpr std::size_t frames_a_run = 290'000 / LOSSLESS_SHARE;
constexpr std::size_t runs = 36;
static_assert(frames_a_run * runs * LOSSLESS_SHARE >= 10'000'000, "enough to be a proof");

struct Incast {
    PortIndex senders;
    Mix mix;
    Nanos response;
};

std::string name_of(const Incast& run) {
    const std::string frames =
        run.mix.shortest != run.mix.longest ? "mixed" : std::to_string(run.mix.longest);
    return std::to_string(run.senders) + "_to_1_of_" + frames + "_after_" +
           std::to_string(run.response.count() / 1000) + "_us";
}

void PrintTo(const Incast& run, std::ostream* out) { *out << name_of(run); }

std::vector<Incast> table() {
    std::vector<Incast> lines;
    for (const PortIndex senders : std::to_array<PortIndex>({3, 7, 15})) {
        for (const Mix mix : {Mix{64, 64}, Mix{1500, 1500}, Mix{64, 1522}}) {
            for (const int64_t microseconds : {0, 10, 100, 1000}) {
                lines.push_back({senders, mix, Nanos(microseconds * 1000)});
            }
        }
    }
    return lines;
}
TEST(IncastTableTest, TheTableIsAsLongAsItWas) { EXPECT_EQ(table().size(), runs); }

class IncastTest : public testing::TestWithParam<Incast> {};

TEST_P(IncastTest, LosesNothing) {
    const auto [senders, mix, response] = GetParam();
    const auto hosts = static_cast<std::size_t>(senders) + 1;
    Star star({.hosts = hosts, .response = response});
    constexpr PortIndex target = 0;
    for (PortIndex port = 1; port <= senders; ++port) {
        star.add_flow(port, target, lossless, mix);
        star.add_flow(target, port, lossy, {1522, 1522});
    }

    star.start();
    EXPECT_TRUE(star.network.run_until([&] { return star.received(lossless) >= frames_a_run; },
                                       Nanos(10'000'000'000)));
    star.drain();

    EXPECT_TRUE(star.lost_nothing_lossless());
    EXPECT_TRUE(star.at_rest());
    EXPECT_GE(star.received(lossless), frames_a_run);
    EXPECT_EQ(star.sent(lossy), star.received(lossy) + star.node.drops(Drop::over_threshold));
    EXPECT_LE(star.pool_overdrawn().count(), star.longest_charge().count() * senders);
    for (PortIndex port = 1; port <= senders; ++port) {
        EXPECT_GT(star.host(port).sender.pauses_received(), 1U) << "was never paused";
    }
    RecordProperty("headroom", static_cast<int>(star.headroom().count()));
    RecordProperty("headroom_used_max", static_cast<int>(star.headroom_used_max().count()));
}

// A million frames of 9,000 octets, three to one.
TEST(LongFramesIncast, LoseNothing) {
    constexpr std::size_t frames = 1'000'000 / LOSSLESS_SHARE;
    Star star({.hosts = 4, .response = Nanos(10'000), .max_frame = Bytes(9022)});
    for (PortIndex port = 1; port < 4; ++port) star.add_flow(port, 0, lossless, {9000, 9000});
    star.start();
    EXPECT_TRUE(star.network.run_until([&] { return star.received(lossless) >= frames; },
                                       Nanos(20'000'000'000)));
    star.drain();
    EXPECT_TRUE(star.lost_nothing());
    EXPECT_TRUE(star.at_rest());
    EXPECT_GE(star.received(lossless), frames);
    for (PortIndex port = 1; port < 4; ++port) {
        EXPECT_GT(star.host(port).sender.pauses_received(), 1U) << "was never paused";
    }
}

INSTANTIATE_TEST_SUITE_P(Table, IncastTest, testing::ValuesIn(table()),
                         [](const auto& line) { return name_of(line.param); });

}  // namespace
}  // namespace sluice::test

// CSIG at a port that updates: signals get worse by what waits, and D stops them.
#include <gtest/gtest.h>

#include "tests/support/csig_rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::csig_dscp;
using test::csig_switch;
using test::Octets;
using test::Rig;
using test::with_csig;

CsigSignal signal_of_departure(const Rig& rig, std::size_t n, CsigForm form) {
    const CsigTags tags(test::csig_settings());
    const Octets& octets = rig.departures(1).at(n).octets();
    EXPECT_EQ(tags.find(octets).form, form);
    return tags.read(&octets[tags.find(octets).offset], form);
}

TEST(ShardCsig, WritesTheDepthOfTheQueueAndTheDelayOfThoseInFront) {
    Settings settings = test::without_bypass(csig_switch());
    settings.ports[1].speed = 1_Gbps;
    Rig rig(settings);
    const Octets depth = with_csig(CsigForm::wide, CsigType::depth, 0, 1000);
    const Octets delay = with_csig(CsigForm::wide, CsigType::delay, 0, 1000);
    rig.ports.room[1] = 0;
    for (int n = 0; n < 3; ++n) rig.receive(0, {depth, delay, depth, delay});
    rig.poll();
    rig.now += 300_us;
    rig.ports.room[1] = SIZE_MAX;
    rig.run();
    ASSERT_EQ(rig.departures(1).size(), 12U);
    uint32_t deepest = 0;
    uint32_t longest = 0;
    for (std::size_t n = 0; n < 12; ++n) {
        const CsigSignal signal = signal_of_departure(rig, n, CsigForm::wide);
        uint32_t& most = n % 2 == 0 ? deepest : longest;
        most = std::max(most, signal.value);
        EXPECT_EQ(signal.locator, signal.value == 0 ? 1 : 5);
    }
    EXPECT_GT(deepest, 80U) << "a frame is 8.4 us";
    EXPECT_EQ(longest, 3000U) << "they waited for 300 us";
    const CsigOutput& output = rig.dataplane.shard(0).csig().output(1);
    EXPECT_EQ(output.seen(), 12U) << "once, however often the device refused them";
    EXPECT_TRUE(rig.at_rest());
}

TEST(ShardCsig, WritesTheBandwidthThatTheLastIntervalLeft) {
    Rig rig(csig_switch());
    rig.poll();
    const Octets frame = with_csig(CsigForm::wide, CsigType::bandwidth, 9'999);
    rig.now += 64_us;
    rig.receive(0, std::vector<Octets>(32, frame));
    rig.run();
    rig.now += 64_us;
    rig.poll();
    rig.receive(0, {frame});
    rig.run();
    const auto bits = static_cast<int64_t>(32 * (frame.size() + 24) * 8);
    const int64_t left = 10'000'000'000 - bits * 1'000'000 / 128;
    EXPECT_EQ(signal_of_departure(rig, 0, CsigForm::wide).value, 9'999U) << "nothing was sent yet";
    EXPECT_EQ(signal_of_departure(rig, 32, CsigForm::wide).value, left / 1'000'000);
    EXPECT_EQ(signal_of_departure(rig, 32, CsigForm::wide).locator, 5);
}

TEST(ShardCsig, LeavesWhatItTrimmedAsItWas) {
    Settings settings = test::without_bypass(csig_switch());
    settings.buffer = {.size = 48_KiB, .cell = 256_B, .alpha_128 = 128};
    settings.ports[1].trim = {.priorities = 0x10, .share_128 = 64};
    settings.ports[1].trim.dscp[csig_dscp] = 11;
    Rig rig(settings);
    rig.receive(0, std::vector<Octets>(24, with_csig(CsigForm::compact, CsigType::depth, 0, 1400)));
    rig.run();
    std::size_t trimmed = 0;
    std::size_t deep = 0;
    for (std::size_t n = 0; n < rig.departures(1).size(); ++n) {
        const CsigSignal signal = signal_of_departure(rig, n, CsigForm::compact);
        EXPECT_EQ(signal.trimmed, rig.departures(1)[n].octets().size() < 200);
        if (signal.trimmed) {
            ++trimmed;
            EXPECT_EQ(signal.value, 0U);
        } else if (signal.value > 0) {
            ++deep;
        }
    }
    EXPECT_EQ(trimmed, 8U);
    EXPECT_GT(deep, 0U);
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

// What a port says of itself by CSIG: bandwidth over an interval, delay by marks, depth; and what
// of that it writes.
#include "dataplane/csig/csig_output.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/csig.h"

namespace sluice {
namespace {

using namespace literals;
using test::csig_tag;
using test::Octets;

// 976 octets and the 24 beside them are a microsecond at 8 Gbit/s.
TEST(CsigBandwidth, IsWhatTheLastIntervalLeft) {
    AvailableBandwidth bandwidth;
    bandwidth.configure(10_Gbps, 100_us);
    EXPECT_EQ(bandwidth.left(), 10_Gbps) << "nothing is known yet";
    bandwidth.look(0, 0, 1_s);
    bandwidth.look(50, 50 * 976, 1_s + 50_us);
    EXPECT_EQ(bandwidth.left(), 10_Gbps) << "the interval is not over";
    bandwidth.look(100, 100 * 976, 1_s + 100_us);
    EXPECT_EQ(bandwidth.left(), 2_Gbps);
    EXPECT_EQ(bandwidth.relative(), 65536 / 5);
    EXPECT_EQ(bandwidth.shown(), 2'000'000'000U);
    bandwidth.look(150, 150 * 976, 1_s + 300_us);
    EXPECT_EQ(bandwidth.left(), 8_Gbps) << "of one that took twice as long";
    bandwidth.look(1000, 1000 * 976, 1_s + 400_us);
    EXPECT_EQ(bandwidth.left(), BitsPerSecond(0)) << "never less";
}

TEST(CsigBandwidth, SurvivesAYearOfSilenceAndAnotherSpeed) {
    AvailableBandwidth bandwidth;
    bandwidth.configure(10_Gbps, 100_us);
    bandwidth.look(0, 0, 1_s);
    bandwidth.look(uint64_t{1} << 50, uint64_t{1} << 60, Nanos(365LL * 86400 * 1'000'000'000));
    EXPECT_EQ(bandwidth.left(), BitsPerSecond(0));
    bandwidth.configure(400_Gbps, 100_us);
    EXPECT_EQ(bandwidth.left(), 400_Gbps);
}

TEST(CsigDelay, IsThatOfTheFrameThatWasMarked) {
    HopDelay delay;
    delay.look(10, 100, 1_s);  // the 110th is marked
    EXPECT_EQ(delay.delay(), 0_us);
    delay.look(42, 200, 1_s + 5_us);
    EXPECT_EQ(delay.delay(), 5_us) << "what left was there before the mark";
    delay.look(109, 200, 1_s + 9_us);
    EXPECT_EQ(delay.delay(), 9_us);
    delay.look(120, 200, 1_s + 12_us);
    EXPECT_EQ(delay.delay(), 12_us);
    delay.look(150, 200, 1_s + 14_us);
    EXPECT_EQ(delay.delay(), 12_us) << "the next mark is younger than the last took";
    delay.look(200, 0, 1_s + 15_us);
    EXPECT_EQ(delay.delay(), 12_us) << "the last of them waited";
    delay.look(201, 0, 1_s + 16_us);
    EXPECT_EQ(delay.delay(), 0_us) << "the queue was empty";
}

TEST(CsigDelay, GoesOnWhereTheCountOfFramesStartsAnew) {
    HopDelay delay;
    delay.look(UINT32_MAX - 5, 10, 1_s);
    delay.look(3, 10, 1_s + 2_us);
    EXPECT_EQ(delay.delay(), 2_us);
    delay.look(4, 10, 1_s + 3_us);
    delay.look(20, 10, 1_s + 7_us);
    EXPECT_EQ(delay.delay(), 4_us) << "marked at the second look";
}

class CsigOutputTest : public testing::Test {
  protected:
    CsigOutputTest() { configure(9); }
    void configure(uint16_t locator) {
        output_.configure(test::csig_settings(), {CsigMode::update, locator}, 10_Gbps);
    }
    // A frame with that tag leaves; the signal that it has then.
    CsigSignal left_with(CsigForm form, const Octets& tag, uint8_t network_offset = 0) {
        Octets octets = test::with_tag(test::frame_of({}), tag);
        Frame frame{.data = octets.data(), .length = static_cast<uint16_t>(octets.size())};
        frame.priority = 3;
        frame.network_offset =
            network_offset != 0 ? network_offset : static_cast<uint8_t>(14 + octets_of(form));
        output_.update({&frame, 1});
        output_.sent(1);
        return tags_.read(&octets[12], form);
    }
    CsigSignal signal(CsigForm form, CsigType type, uint32_t value) {
        return left_with(form, csig_tag(form, type, value, 1));
    }
    void half_used() {
        output_.look(0, 0, 1_s);
        output_.look(0, 62'500, 1_s + 128_us - 28_us);
        output_.look(0, 80'000, 1_s + 128_us);  // 5 Gbit/s
    }

    const CsigTags tags_{test::csig_settings()};
    CsigOutput output_;
};

TEST_F(CsigOutputTest, WritesTheLeastBandwidth) {
    half_used();
    EXPECT_EQ(signal(CsigForm::compact, CsigType::bandwidth, 6).value, 5U);
    EXPECT_EQ(signal(CsigForm::compact, CsigType::bandwidth, 4).value, 4U);
    EXPECT_EQ(signal(CsigForm::wide, CsigType::bandwidth, 9'999).value, 5'000U);
    EXPECT_EQ(signal(CsigForm::compact, CsigType::relative, 31).value, 16U);
    EXPECT_EQ(signal(CsigForm::wide, CsigType::relative, 40'000).value, 32'768U);
    EXPECT_EQ(signal(CsigForm::wide, CsigType::relative, 30'000).value, 30'000U);
    EXPECT_EQ(output_.seen(), 6U);
    EXPECT_EQ(output_.replaced(), 4U);
}

TEST_F(CsigOutputTest, WritesTheGreatestDelayAndDepthOfTheQueue) {
    output_.look(3, {.left = 0, .waiting = 10, .depth = Bytes(125'000)}, 1_s);
    output_.look(3, {.left = 10, .waiting = 10, .depth = Bytes(125'000)}, 1_s + 55_us);
    output_.look(4, {.left = 0, .waiting = 0, .depth = Bytes(0)}, 1_s);
    EXPECT_EQ(signal(CsigForm::compact, CsigType::delay, 0).value, 5U);
    EXPECT_EQ(signal(CsigForm::compact, CsigType::delay, 6).value, 6U);
    EXPECT_EQ(signal(CsigForm::wide, CsigType::delay, 0).value, 550U);
    EXPECT_EQ(signal(CsigForm::compact, CsigType::depth, 0).value, 10U) << "100 us at 10 Gbit/s";
    EXPECT_EQ(signal(CsigForm::wide, CsigType::depth, 999).value, 1'000U);
}

TEST_F(CsigOutputTest, TheLocatorIsThatOfTheSignal) {
    half_used();
    EXPECT_EQ(signal(CsigForm::compact, CsigType::bandwidth, 6).locator, 9);
    EXPECT_EQ(signal(CsigForm::compact, CsigType::bandwidth, 5).locator, 1);
    configure(0x7FFF);
    EXPECT_EQ(signal(CsigForm::wide, CsigType::bandwidth, 9'000).locator, 0x7FFF);
}

TEST_F(CsigOutputTest, LeavesTrimmedFramesAndTypesThatItDoesNotKnow) {
    half_used();
    Octets trimmed = csig_tag(CsigForm::compact, CsigType::bandwidth, 31, 1);
    trimmed[3] |= 1;
    EXPECT_EQ(left_with(CsigForm::compact, trimmed).value, 31U);
    for (const int type : {4, 7}) {
        const Octets other = csig_tag(CsigForm::compact, static_cast<CsigType>(type), 31, 1);
        EXPECT_EQ(left_with(CsigForm::compact, other).value, 31U);
    }
    EXPECT_EQ(output_.replaced(), 0U);
    EXPECT_EQ(output_.seen(), 3U);
    EXPECT_EQ(output_.shared(), 0U);
}

TEST_F(CsigOutputTest, NeverWritesWhereOthersSendTheSameOctets) {
    half_used();
    const Octets tag = csig_tag(CsigForm::compact, CsigType::bandwidth, 31, 1);
    EXPECT_EQ(left_with(CsigForm::compact, tag, shared_octets).value, 31U);
    EXPECT_EQ(output_.seen(), 1U);
    EXPECT_EQ(output_.shared(), 1U);
}

TEST_F(CsigOutputTest, CountsWhatTheDeviceTook) {
    half_used();
    std::vector<Octets> octets(
        3,
        test::with_tag(test::frame_of({}), csig_tag(CsigForm::compact, CsigType::bandwidth, 31)));
    std::vector<Frame> burst(3, Frame{});
    for (std::size_t n = 0; n < burst.size(); ++n) {
        burst[n].data = octets[n].data();
        burst[n].length = static_cast<uint16_t>(octets[n].size());
        burst[n].network_offset = 18;
    }
    output_.update(burst);
    output_.sent(2);
    EXPECT_EQ(output_.seen(), 2U);
    EXPECT_EQ(output_.replaced(), 2U);
    output_.update(std::span(burst).subspan(2));
    output_.sent(1);
    EXPECT_EQ(output_.seen(), 3U);
}

}  // namespace
}  // namespace sluice

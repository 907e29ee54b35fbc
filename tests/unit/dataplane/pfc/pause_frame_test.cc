#include "dataplane/pfc/pause_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::Fenced;
using test::hex;
using test::Octets;

// 802.1Q figure 36-2, as octets: priorities 3 and 5 enabled, 3 for 65535 quanta, 5 for none.
const Octets golden =
    hex("01:80:c2:00:00:01 02:00:00:00:01:00 88 08  01 01  00 28"
        "0000 0000 0000 ffff 0000 0000 0000 0000"
        "00000000000000000000000000 00000000000000000000000000");

TEST(PauseFrame, IsWrittenAsTheStandardDrawsIt) {
    PauseFrame pause;
    pause.enabled = 0b0010'1000;
    pause.time[3] = 65535;
    std::array<uint8_t, pause_frame_octets> octets;
    octets.fill(0xEE);
    write_pause_frame(octets, test::station(0), pause);
    EXPECT_EQ(Octets(octets.begin(), octets.end()), golden);
}

TEST(PauseFrame, IsReadBack) {
    const auto pause = read_pause_frame(golden);
    ASSERT_TRUE(pause);
    EXPECT_EQ(pause->enabled, 0b0010'1000);
    EXPECT_EQ(pause->time[3], 65535);
    EXPECT_EQ(pause->time[5], 0);
}

TEST(PauseFrame, EveryTimeIsInItsPlace) {
    PauseFrame pause;
    pause.enabled = 0xFF;
    for (Priority priority = 0; priority < max_priorities; ++priority) {
        pause.time[priority] = static_cast<uint16_t>(0x1000 * priority + 0x0101);
    }
    std::array<uint8_t, pause_frame_octets> octets;
    write_pause_frame(octets, test::station(0), pause);
    EXPECT_EQ(octets[18], 0x01);
    EXPECT_EQ(octets[32], 0x71);
    const auto read = read_pause_frame(octets);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->time, pause.time);
}

TEST(PauseFrame, WithoutAPriorityIsLegalAndSaysNothing) {
    Octets octets = golden;
    octets[17] = 0;
    const auto pause = read_pause_frame(octets);
    ASSERT_TRUE(pause);
    EXPECT_EQ(pause->enabled, 0);
}

TEST(PauseFrame, FromAZeroSourceIsLegal) {
    Octets octets = golden;
    std::fill_n(octets.begin() + 6, 6, uint8_t{0});
    EXPECT_TRUE(read_pause_frame(octets));
}

TEST(PauseFrame, NeedsNoPadding) { EXPECT_TRUE(read_pause_frame(std::span(golden).first(34))); }

struct Illegal {
    const char* description;
    std::size_t at;
    uint8_t octet;
};
class IllegalPauseFrame : public testing::TestWithParam<Illegal> {};

TEST_P(IllegalPauseFrame, HasNoEffect) {
    Octets octets = golden;
    octets[GetParam().at] = GetParam().octet;
    EXPECT_FALSE(read_pause_frame(octets)) << GetParam().description;
}

INSTANTIATE_TEST_SUITE_P(Frames, IllegalPauseFrame,
                         testing::Values(Illegal{"another reserved address", 5, 0x02},
                                         Illegal{"unicast destination", 0, 0x00},
                                         Illegal{"source is a group", 6, 0x03},
                                         Illegal{"another type", 13, 0x09},
                                         Illegal{"opcode 0001, 802.3x pause", 14, 0x00},
                                         Illegal{"opcode 0102", 15, 0x02},
                                         Illegal{"high octet of the enable vector", 16, 0x01}),
                         [](const auto& instance) {
                             return "octet" + std::to_string(instance.param.at);
                         });

TEST(PauseFrame, CutAnywhereIsIllegalAndNotReadBeyond) {
    for (std::size_t length = 0; length < 34; ++length) {
        const Fenced frame{std::span(golden).first(length)};
        EXPECT_FALSE(read_pause_frame(frame.octets())) << length;
    }
}

}  // namespace
}  // namespace sluice

#include "dataplane/pfc/pause_frame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "tests/support/octets.h"
#include "tests/support/pauses.h"

namespace sluice {
namespace {

using test::Fenced;
using test::hex;
using test::Octets;
using test::pause_in;

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
    const auto pause = pause_in(golden);
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
    const auto read = pause_in(octets);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->time, pause.time);
}

TEST(PauseFrame, WithoutAPriorityIsLegalAndSaysNothing) {
    Octets octets = golden;
    octets[17] = 0;
    const auto pause = pause_in(octets);
    ASSERT_TRUE(pause);
    EXPECT_EQ(pause->enabled, 0);
}

// The time of the highest class that is not enabled carries the count; receivers that follow 802.1Q
// ignore it.
TEST(PauseFrame, SaysThroughHowManyRelaysItCame) {
    for (const auto enabled : std::to_array<PrioritySet>({0x08, 0x80, 0xC1, 0x7F})) {
        PauseFrame pause = test::pause_of(enabled, 100);
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            if ((enabled & only_priority(priority)) == 0) pause.time[priority] = 0;
        }
        pause.relays = 3;
        const Octets octets = test::octets_of(pause);
        const auto read = pause_in(octets);
        ASSERT_TRUE(read);
        EXPECT_EQ(read->relays, 3) << int{enabled};
        EXPECT_EQ(read->enabled, enabled);
        const auto unused = highest(static_cast<PrioritySet>(~enabled));
        EXPECT_EQ(read->time[unused], 0x52D3);
        pause.relays = 0;
        EXPECT_EQ(pause_in(test::octets_of(pause))->relays, 0);
        EXPECT_EQ(pause_in(test::octets_of(pause))->time[unused], 0);
    }
    PauseFrame all = test::pause_of(0xFF, 0x52D3);
    all.relays = 3;
    EXPECT_EQ(pause_in(test::octets_of(all))->relays, 0) << "there is no word for it";
    EXPECT_EQ(pause_in(test::octets_of(test::pause_of(0, 0x52D3)))->relays, 0) << "it is a probe's";
}

TEST(PauseFrame, FromAZeroSourceIsLegal) {
    Octets octets = golden;
    std::fill_n(octets.begin() + 6, 6, uint8_t{0});
    EXPECT_TRUE(pause_in(octets));
}

TEST(PauseFrame, NeedsNoPadding) { EXPECT_TRUE(pause_in(std::span(golden).first(34))); }

struct Illegal {
    const char* description;
    std::size_t at;
    uint8_t octet;
    Drop reason;
};
class IllegalPauseFrame : public testing::TestWithParam<Illegal> {};

TEST_P(IllegalPauseFrame, HasNoEffect) {
    Octets octets = golden;
    octets[GetParam().at] = GetParam().octet;
    PauseFrame untouched = test::pause_of(0x55, 7);
    EXPECT_EQ(read_pause_frame(octets, {}, untouched), GetParam().reason) << GetParam().description;
    EXPECT_EQ(untouched.enabled, 0x55);
}

INSTANTIATE_TEST_SUITE_P(
    Frames, IllegalPauseFrame,
    testing::Values(Illegal{"another reserved address", 5, 2, Drop::pause_destination},
                    Illegal{"unicast destination", 0, 0, Drop::pause_destination},
                    Illegal{"source is a group", 6, 3, Drop::pause_source},
                    Illegal{"another type", 13, 9, Drop::pause_opcode},
                    Illegal{"opcode 0001, 802.3x", 14, 0, Drop::pause_opcode},
                    Illegal{"opcode 0102", 15, 2, Drop::pause_opcode},
                    Illegal{"high octet of the vector", 16, 1, Drop::pause_vector}),
    [](const auto& instance) { return "octet" + std::to_string(instance.param.at); });

TEST(PauseFrame, CutAnywhereIsIllegalAndNotReadBeyond) {
    for (std::size_t length = 0; length < 34; ++length) {
        const Fenced frame{std::span(golden).first(length)};
        PauseFrame pause;
        EXPECT_EQ(read_pause_frame(frame.octets(), {}, pause), Drop::pause_length) << length;
    }
}

PausePeers peers(std::initializer_list<unsigned> stations) {
    PausePeers peers;
    peers.obey_named_alone();
    for (const unsigned station : stations) peers.name(test::station(station));
    return peers;
}

TEST(PausePeers, HoldASetOfStationsAndNoMore) {
    PausePeers named = peers({1, 1});
    EXPECT_EQ(named.named().size(), 1U);
    for (unsigned station = 2; station < 40; ++station) named.name(test::station(station));
    EXPECT_EQ(named.named().size(), PausePeers::most);
    EXPECT_TRUE(named.obeys(test::station(PausePeers::most)));
    EXPECT_FALSE(named.obeys(test::station(PausePeers::most + 1)));
    EXPECT_TRUE(PausePeers{}.obeys(test::station(1)));
}

TEST(PauseFrame, FromAnotherThanTheKnownPeersHasNoEffect) {
    PauseFrame pause;
    const PausePeers nobody = peers({});
    const PausePeers station_0 = peers({0});
    const PausePeers station_1 = peers({1});
    const PausePeers several = peers({1, 2, 0});
    const PauseRules from_station_0{.peers = &station_0};
    EXPECT_EQ(read_pause_frame(golden, from_station_0, pause), Drop::none);
    EXPECT_EQ(read_pause_frame(golden, {.peers = &several}, pause), Drop::none);
    EXPECT_EQ(read_pause_frame(golden, {.peers = &station_1}, pause), Drop::pause_source);
    EXPECT_EQ(read_pause_frame(golden, {.peers = &nobody}, pause), Drop::pause_source);
    Octets zero_source = golden;
    std::fill_n(zero_source.begin() + 6, 6, uint8_t{0});
    EXPECT_EQ(read_pause_frame(zero_source, from_station_0, pause), Drop::pause_source);
}

// --- 802.3x --------------------------------------------------------------------------------------

// 802.3 annex 31B, as octets: the whole link for 256 quanta.
const Octets link_pause =
    hex("01:80:c2:00:00:01 02:00:00:00:01:00 88 08  00 01  01 00"
        "00000000000000000000000000000000000000000000000000000000 0000000000000000 000000000000");

TEST(PauseFrame, OfTheWholeLinkIsReadWhereThePortObeysIt) {
    PauseFrame pause;
    ASSERT_EQ(read_pause_frame(link_pause, {.link_pause = true}, pause), Drop::none);
    EXPECT_TRUE(pause.whole_link);
    EXPECT_EQ(pause.enabled, 0xFF);
    EXPECT_EQ(pause.time[0], 256);
    EXPECT_EQ(pause.time[7], 256);
    EXPECT_EQ(read_pause_frame(link_pause, {}, pause), Drop::pause_opcode);
    const Fenced cut{std::span(link_pause).first(17)};
    EXPECT_EQ(read_pause_frame(cut.octets(), {.link_pause = true}, pause), Drop::pause_length);
}

}  // namespace
}  // namespace sluice

// Datagrams of sFlow, word by word as its XDR has them.
#include "control/sflow/datagram.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace sluice::control::sflow {
namespace {

using Words = std::vector<uint32_t>;

// All of a datagram; octets that are no whole words fail.
Words words_of(std::span<const uint8_t> octets) {
    EXPECT_EQ(octets.size() % 4, 0U);
    Words words;
    for (std::size_t at = 0; at + 4 <= octets.size(); at += 4) {
        words.push_back(uint32_t{octets[at]} << 24 | uint32_t{octets[at + 1]} << 16 |
                        uint32_t{octets[at + 2]} << 8 | octets[at + 3]);
    }
    return words;
}

constexpr std::array<uint8_t, 4> agent = {192, 0, 2, 1};
constexpr uint32_t unknown = UINT32_MAX;

TEST(SflowDatagram, BeginsWithItsVersionAndItsAgent) {
    Datagram datagram(agent);
    EXPECT_TRUE(datagram.empty());
    EXPECT_EQ(words_of(datagram.finish(7, 1000)), (Words{5, 1, 0xC000'0201, 0, 7, 1000, 0}));
}

TEST(SflowDatagram, OfAnAgentByIpv6OrWithoutAnAddress) {
    std::array<uint8_t, 16> six{0x20, 0x01, 0x0D, 0xB8};
    six[15] = 1;
    EXPECT_EQ(words_of(Datagram(six).finish(1, 2)),
              (Words{5, 2, 0x2001'0DB8, 0, 0, 1, 0, 1, 2, 0}));
    EXPECT_EQ(words_of(Datagram({}).finish(1, 2)), (Words{5, 0, 0, 1, 2, 0}));
}

TEST(SflowDatagram, HasAFlowSampleAsTheSpecificationDoes) {
    const std::array<uint8_t, 6> header = {0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6};
    Datagram datagram(agent);
    ASSERT_TRUE(datagram.add(FlowSample{.sequence = 9,
                                        .source = 3,
                                        .sampling_rate = 400,
                                        .sample_pool = 4000,
                                        .drops = 2,
                                        .input = one_interface(3),
                                        .output = several_interfaces(2),
                                        .frame_length = 1518,
                                        .stripped = 4,
                                        .header = header,
                                        .extended = {10, 3, 11, 5}}));
    const Words expected = {5,  1,    0xC000'0201, 0,    1,           0,           1,  // one sample
                            1,  88,  // flow_sample, octets behind
                            9,  3,    400,         4000, 2,           3,           0x8000'0002,
                            2,  1,    24,  // sampled_header
                            1,  1518, 4,           6,    0xA1A2'A3A4, 0xA5A6'0000, 1001,
                            16,  // extended_switch
                            10, 3,    11,          5};
    EXPECT_EQ(words_of(datagram.finish(1, 0)), expected);
}

TEST(SflowDatagram, SaysWhereAFrameWent) {
    EXPECT_EQ(one_interface(2), 2U);
    EXPECT_EQ(discarded(258), 0x4000'0102U);
    EXPECT_EQ(several_interfaces(7), 0x8000'0007U);
    EXPECT_EQ(no_interface, 0x3FFF'FFFFU);
}

TEST(SflowDatagram, HasACounterSampleAsTheSpecificationDoes) {
    const InterfaceCounters counters{.index = 4,
                                     .speed = 100'000'000'000,
                                     .admin_up = true,
                                     .oper_up = true,
                                     .in_octets = 0x1'0000'0002,
                                     .in_frames = 20,
                                     .in_discards = 21,
                                     .in_errors = 22,
                                     .out_octets = 0x3'0000'0004,
                                     .out_frames = 30,
                                     .out_discards = 31,
                                     .promiscuous = true,
                                     .frames_too_long = 5};
    Datagram datagram(agent);
    ASSERT_TRUE(datagram.add(CounterSample{.sequence = 2, .counters = counters}));
    Words expected = {
        5, 1,   0xC000'0201, 0,           1,       0,       1,  // one sample
        2, 168,                                                 // counters_sample, octets behind
        2, 4,   2,                                              // sequence, source, records
        1, 88,                                                  // if_counters
        4, 6,   23,          0x4876'E800, 1,       3,  // speed in two words, full duplex, up and up
        1, 2,   20,          unknown,     unknown, 21,      22, unknown, 3,
        4, 30,  unknown,     unknown,     31,      unknown, 1,  2,       52};  // ethernet_counters
    expected.insert(expected.end(), 10, unknown);
    expected.insert(expected.end(), {5, unknown, unknown});
    EXPECT_EQ(words_of(datagram.finish(1, 0)), expected);
}

TEST(SflowDatagram, IsNeverLongerThanItMayBe) {
    const std::vector<uint8_t> header(256, 1);
    Datagram datagram(agent);
    int samples = 0;
    while (datagram.add(FlowSample{.header = header})) ++samples;
    EXPECT_EQ(samples, 3);
    const std::size_t octets = datagram.finish(1, 0).size();
    EXPECT_LE(octets, longest_datagram);
    EXPECT_EQ(words_of(datagram.finish(1, 0))[6], 3U) << "what found no room is not counted";
    EXPECT_EQ(datagram.finish(1, 0).size(), octets);
}

}  // namespace
}  // namespace sluice::control::sflow

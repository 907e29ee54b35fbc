#include "dataplane/retry/retry_shim.h"
#include "dataplane/retry/replay_queue.h"

#include <gtest/gtest.h>

#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::hex;
using test::Octets;

constexpr MacAddress shim_source{0x0200'0000'0201};

Octets wrapped(const RetryShim& shim, std::size_t octets) {
    Octets frame(octets);
    write_retry_shim(std::span(frame).first<retry_shim_octets>(), shim_source, shim);
    return frame;
}

TEST(RetryShim, IsLaidOutAsTheHeaderDrawsIt) {
    EXPECT_EQ(wrapped({.kind = RetryKind::data,
                       .session = 0x01020304,
                       .traffic_class = 3,
                       .number = RetrySequence(0xABCDE),
                       .order = 0x12345678,
                       .length = 60},
                      retry_shim_octets),
              hex("01 80 C2 00 00 0E  02 00 00 00 02 01  88 B5  53 4C 52  21"
                  "01 02 03 04  00 3A BC DE  12 34 56 78  00 3C"));
}

TEST(RetryShim, AnAnswerHasRunsBehindIt) {
    const RetryAnswer answer{0x01020304, true, RetrySequence(9), 0, {{7, 1}, {0x0A0B0C0D, 300}}};
    std::array<uint8_t, longest_retry_signal> room{};
    const auto written = write_retry_answer(room, shim_source, answer);
    EXPECT_EQ(Octets(written.begin(), written.end()),
              hex("01 80 C2 00 00 0E  02 00 00 00 02 01  88 B5  53 4C 52  24"
                  "01 02 03 04  00 00 00 09  00 00 00 00  00 0C"
                  "00 00 00 07  00 01  0A 0B 0C 0D  01 2C"
                  "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"));
    const auto shim = read_retry_shim(written);
    ASSERT_TRUE(shim);
    EXPECT_EQ(read_retry_answer(written, *shim), answer);
}

TEST(RetryShim, TheLongestAnswerIsReadAsItWasWritten) {
    RetryAnswer answer{7, false, RetrySequence(1), 0, {}};
    for (uint32_t n = 0; n < RetryRuns::most; ++n) answer.runs.add({n * 1000, 1});
    std::array<uint8_t, longest_retry_signal> room{};
    const auto written = write_retry_answer(room, shim_source, answer);
    EXPECT_EQ(written.size(), room.size());
    EXPECT_EQ(read_retry_answer(written, read_retry_shim(written).value()), answer);
}

TEST(RetryShim, IsReadAsItWasWritten) {
    for (const RetryKind kind :
         {RetryKind::begin, RetryKind::ack, RetryKind::nack, RetryKind::unknown}) {
        const RetryShim shim{.kind = kind, .session = 7, .number = RetrySequence(9)};
        EXPECT_EQ(read_retry_shim(wrapped(shim, retry_signal_octets)), shim);
    }
    const RetryShim data{.session = 7,
                         .traffic_class = ReplayQueue::never_paused,
                         .number = RetrySequence(9),
                         .order = UINT32_MAX,
                         .length = 64};
    EXPECT_EQ(read_retry_shim(wrapped(data, retry_shim_octets + 64)), data);
    EXPECT_EQ(read_retry_shim(wrapped(data, retry_shim_octets + 70)), data) << "filled up";
}

TEST(RetryShim, IsRefusedWhereItSaysNothingSensible) {
    const RetryShim data{.session = 7, .number = RetrySequence(9), .length = 64};
    const Octets good = wrapped(data, retry_shim_octets + 64);
    const auto refused = [&](std::size_t at, uint8_t octet) {
        Octets bad = good;
        bad[at] = octet;
        return is_of_retry(bad) && !read_retry_shim(bad);
    };
    EXPECT_TRUE(refused(17, 0x20)) << "no kind";
    EXPECT_TRUE(refused(17, 0x26)) << "a kind that there is not";
    EXPECT_TRUE(refused(17, 0x11)) << "another version";
    EXPECT_TRUE(refused(17, 0x23)) << "an ACK with a part of a run in it";
    EXPECT_TRUE(refused(17, 0x22)) << "a question with a frame in it";
    EXPECT_TRUE(refused(21, 0)) << "session 0";
    EXPECT_TRUE(refused(22, 1)) << "bits that are zeros";
    EXPECT_TRUE(refused(23, 0x90)) << "a traffic_class that there is not";
    const Octets answer = wrapped({.kind = RetryKind::ack, .session = 7}, retry_signal_octets);
    Octets of_a_class = answer;
    of_a_class[23] = 0x10;
    EXPECT_TRUE(read_retry_shim(answer) && !read_retry_shim(of_a_class)) << "an answer has none";
    EXPECT_TRUE(refused(31, 65)) << "a frame that is longer than what came";
    EXPECT_TRUE(refused(31, 13)) << "a frame without a header";
}

TEST(RetryShim, LeavesOtherFramesAlone) {
    const Octets good = wrapped({.session = 7, .length = 64}, retry_shim_octets + 64);
    for (const std::size_t at : {5U, 12U, 14U, 16U}) {
        Octets other = good;
        other[at] ^= 1;
        EXPECT_FALSE(is_of_retry(other)) << at;
        EXPECT_FALSE(read_retry_shim(other)) << at;
    }
    for (std::size_t length = 0; length < retry_shim_octets; ++length) {
        EXPECT_FALSE(is_of_retry(std::span(good).first(length)));
    }
}

}  // namespace
}  // namespace sluice

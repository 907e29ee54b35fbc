#include "control/capture/stream.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace sluice::control {
namespace {

const std::array<uint8_t, 4> octets{1, 2, 3, 4};

CaptureRecord record_of_a_drop() {
    return {.time = Nanos(1),
            .depth = 65536,
            .length = 60,
            .copied = 4,
            .as = CapturedAs::dropped_ingress,
            .reason = Drop::over_threshold,
            .port = 1,
            .priority = 3,
            .input = 1,
            .output = 2};
}

std::string stream_of_a_drop() {
    std::string stream;
    append_frame(stream, record_of_a_drop(), 1'732'483'200'000'000'001, octets);
    return stream;
}

TEST(CaptureStream, AFrameIsReadAsItWasWritten) {
    CaptureStream stream;
    stream.append(stream_of_a_drop());
    const CaptureStream::Message message = stream.next();
    const auto& frame = std::get<CaptureStream::Frame>(message);
    EXPECT_EQ(frame.record.time, Nanos(1'732'483'200'000'000'001));
    EXPECT_EQ(frame.record.depth, 65536U);
    EXPECT_EQ(frame.record.length, 60);
    EXPECT_EQ(frame.record.as, CapturedAs::dropped_ingress);
    EXPECT_EQ(frame.record.reason, Drop::over_threshold);
    EXPECT_EQ(frame.record.port, 1);
    EXPECT_EQ(frame.record.priority, 3);
    EXPECT_EQ(frame.record.input, 1);
    EXPECT_EQ(frame.record.output, 2);
    EXPECT_TRUE(std::ranges::equal(frame.octets, octets));
    EXPECT_TRUE(std::holds_alternative<CaptureStream::Incomplete>(stream.next()));
}

TEST(CaptureStream, ComesInPiecesOfAnySize) {
    std::string whole = stream_of_a_drop();
    append_counts(whole, {.captured = 1, .filtered_out = 2, .lost = 3}, false);
    append_counts(whole, {.captured = 4, .filtered_out = 5, .lost = 6}, true);
    std::string kinds;
    CaptureStream stream;
    for (const char octet : whole) {
        stream.append(std::string_view(&octet, 1));
        const CaptureStream::Message message = stream.next();
        ASSERT_FALSE(std::holds_alternative<CaptureStream::Malformed>(message));
        if (std::holds_alternative<CaptureStream::Frame>(message)) kinds += 'f';
        if (const auto* counts = std::get_if<CaptureStream::Counts>(&message)) {
            kinds += counts->last ? 'e' : 'c';
            EXPECT_EQ(counts->counts,
                      (counts->last ? CaptureCounts{4, 5, 6} : CaptureCounts{1, 2, 3}));
        }
    }
    EXPECT_EQ(kinds, "fce");
}

TEST(CaptureStream, WhatIsNoMessageIsSaidToBeNone) {
    const auto is_nonsense = [](std::string text) {
        CaptureStream stream;
        stream.append(text);
        return std::holds_alternative<CaptureStream::Malformed>(stream.next());
    };
    std::string other_kind = stream_of_a_drop();
    other_kind[4] = 9;
    EXPECT_TRUE(is_nonsense(other_kind));
    EXPECT_TRUE(is_nonsense(std::string(4, '\0')));
    EXPECT_TRUE(is_nonsense("HTTP/1.1 200 OK"));
    std::string other_direction = stream_of_a_drop();
    other_direction[5 + 14] = 6;
    EXPECT_TRUE(is_nonsense(other_direction));
    std::string shorter_than_what_is_kept = stream_of_a_drop();
    shorter_than_what_is_kept[5 + 12] = 3;
    EXPECT_TRUE(is_nonsense(shorter_than_what_is_kept));
}

}  // namespace
}  // namespace sluice::control

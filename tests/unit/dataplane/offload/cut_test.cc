#include "dataplane/offload/cut.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/segments.h"

namespace sluice::offload {
namespace {

using test::Octets;
using test::SegmentSpec;

std::vector<Octets> cut_up(const Octets& segment, const Unfinished& left) {
    const auto cut = Cut::of(segment, segment.size(), left);
    if (!cut) return {};
    std::vector<Octets> frames;
    for (std::size_t number = 0; number < cut->frames(); ++number) {
        Octets frame(cut->header_octets() + cut->payload_octets(number));
        std::copy_n(&segment[cut->payload_at(number)], cut->payload_octets(number),
                    &frame[cut->header_octets()]);
        cut->write_headers(number, frame);
        frames.push_back(std::move(frame));
    }
    return frames;
}

TEST(Cut, FramesAreWhatSegmentationMakes) {
    for (const bool is_tcp : {true, false}) {
        for (const bool is_ipv6 : {true, false}) {
            for (const int tags : {0, 1, 2}) {
                const SegmentSpec spec{
                    .is_ipv6 = is_ipv6, .is_tcp = is_tcp, .tags = tags, .payload = 5000};
                EXPECT_EQ(cut_up(unfinished_frame_of(spec), left_of(spec, 1448)),
                          test::segmented(spec, 1448))
                    << is_tcp << is_ipv6 << tags;
            }
        }
    }
}

TEST(Cut, OneFrameMayBeAll) {
    const SegmentSpec spec{.payload = 1000};
    EXPECT_EQ(cut_up(unfinished_frame_of(spec), left_of(spec, 1448)), test::segmented(spec, 1448));
}

TEST(Cut, FlagsOfTheFirstAndOfTheLastStayTheirs) {
    const SegmentSpec spec{.flags = 0x99, .payload = 3000};  // CWR, ACK, PSH, FIN
    const auto frames = cut_up(unfinished_frame_of(spec), left_of(spec, 1000));
    ASSERT_EQ(frames.size(), 3);
    EXPECT_EQ(frames[0][spec.transport() + 13], 0x90);
    EXPECT_EQ(frames[1][spec.transport() + 13], 0x10);
    EXPECT_EQ(frames[2][spec.transport() + 13], 0x19);
}

// A host may leave its length fields as they are for a segment that they cannot state.
TEST(Cut, TheLengthsInItsHeadersAreNotBelieved) {
    const SegmentSpec spec{.payload = 3000};
    Octets segment = unfinished_frame_of(spec);
    write_16(&segment[16], 0);
    EXPECT_EQ(cut_up(segment, left_of(spec, 1000)), test::segmented(spec, 1000));
}

TEST(Cut, WhatContradictsItselfIsNoSegment) {
    const SegmentSpec spec{.payload = 3000};
    const Octets segment = unfinished_frame_of(spec);
    const auto refused = [&](auto change) {
        Unfinished left = left_of(spec, 1000);
        change(left);
        return cut_up(segment, left).empty();
    };
    EXPECT_FALSE(refused([](Unfinished&) {}));
    EXPECT_TRUE(refused([](Unfinished& left) { left.segments = Segments::tcp6; }));
    EXPECT_TRUE(refused([](Unfinished& left) { left.segments = Segments::udp; }));
    EXPECT_TRUE(refused([](Unfinished& left) { left.segments = Segments::none; }));
    EXPECT_TRUE(refused([](Unfinished& left) { left.segment_octets = 0; }));
    EXPECT_TRUE(refused([](Unfinished& left) { left.segment_octets = 65535; }));
    EXPECT_TRUE(refused([](Unfinished& left) { left.checksum_start = 54; })) << "a tunnel's inner";
    const SegmentSpec empty{.payload = 0};
    EXPECT_TRUE(cut_up(unfinished_frame_of(empty), left_of(empty, 1000)).empty());
}

}  // namespace
}  // namespace sluice::offload

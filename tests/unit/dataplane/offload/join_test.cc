#include "dataplane/offload/join.h"

#include <gtest/gtest.h>

#include "tests/support/segments.h"

namespace sluice::offload {
namespace {

using test::Octets;
using test::SegmentSpec;

constexpr Join::Kinds all{.tcp4 = true, .tcp6 = true, .udp = true};

// Returns how many of the frames, from the first on, become one segment.
std::size_t joined(const std::vector<Octets>& frames, const Join::Kinds& kinds = all) {
    Join join;
    if (!join.start(frames.front(), Checksum::unknown, kinds)) return 0;
    for (std::size_t next = 1; next < frames.size(); ++next) {
        if (!join.add(frames[next], Checksum::unknown)) break;
    }
    return join.frames();
}

TEST(Join, TheSegmentIsTheOneThatTheFramesWereCutFrom) {
    for (const bool is_tcp : {true, false}) {
        for (const bool is_ipv6 : {true, false}) {
            for (const int tags : {0, 1}) {
                const SegmentSpec spec{.is_ipv6 = is_ipv6,
                                       .is_tcp = is_tcp,
                                       .tags = tags,
                                       .flags = 0x18,
                                       .payload = 5000};
                const auto frames = test::segmented(spec, 1000);
                Join join;
                ASSERT_TRUE(join.start(frames[0], Checksum::unknown, all));
                for (std::size_t next = 1; next < frames.size(); ++next) {
                    ASSERT_TRUE(join.add(frames[next], Checksum::unknown)) << next;
                }
                Unfinished left;
                const auto headers = join.finish(left);
                const Octets segment = unfinished_frame_of(spec);
                EXPECT_EQ(Octets(headers.begin(), headers.end()),
                          Octets(segment.begin(), segment.begin() + long(spec.headers())));
                EXPECT_EQ(left, left_of(spec, 1000));
            }
        }
    }
}

TEST(Join, ALastFrameMayBeShorterAndPushes) {
    const SegmentSpec spec{.payload = 2500};
    EXPECT_EQ(joined(test::segmented(spec, 1000)), 3);
    auto frames = test::segmented(spec, 1000);
    SegmentSpec next = spec;
    next.id = static_cast<uint16_t>(spec.id + 3);
    next.sequence = spec.sequence + 2500;
    frames.push_back(frame_of(next));
    EXPECT_EQ(joined(frames), 3) << "a shorter one is the last";
    auto pushed = test::segmented({.flags = 0x18, .payload = 2000}, 1000);
    pushed.push_back(test::segmented({.payload = 3000}, 1000)[2]);
    EXPECT_EQ(joined(pushed), 2) << "PSH is the last's";
}

TEST(Join, AnythingThatDiffersKeepsThemApart) {
    const SegmentSpec spec{.payload = 2000};
    const auto apart = [&](auto change) {
        auto frames = test::segmented(spec, 1000);
        SegmentSpec second = spec;
        second.payload = 1000;
        second.id = static_cast<uint16_t>(spec.id + 1);
        second.sequence = spec.sequence + 1000;
        change(second);
        frames[1] = frame_of(second);
        return joined(frames) == 1;
    };
    EXPECT_FALSE(apart([](SegmentSpec&) {}));
    EXPECT_TRUE(apart([](SegmentSpec& frame) { ++frame.sequence; }));
    EXPECT_TRUE(apart([](SegmentSpec& frame) { --frame.id; }));
    EXPECT_TRUE(apart([](SegmentSpec& frame) { frame.flags = 0x11; })) << "FIN";
    EXPECT_TRUE(apart([](SegmentSpec& frame) { frame.flags = 0x50; })) << "ECE";
    EXPECT_TRUE(apart([](SegmentSpec& frame) { frame.tcp_options = 8; }));
    EXPECT_TRUE(apart([](SegmentSpec& frame) { frame.payload = 1001; }));
    EXPECT_TRUE(apart([](SegmentSpec& frame) { frame.payload = 0; }));
    EXPECT_TRUE(apart([](SegmentSpec& frame) { frame.is_tcp = false; }));
    EXPECT_TRUE(apart([](SegmentSpec& frame) { frame.tags = 1; }));
}

// Changes each octet of headers and payload: a damaged frame stays damaged, and counting fields are
// not overwritten.
TEST(Join, AChangedOctetKeepsThemApart) {
    for (const bool is_tcp : {true, false}) {
        const SegmentSpec spec{.is_tcp = is_tcp, .payload = 200};
        const auto frames = test::segmented(spec, 100);
        for (std::size_t at = 0; at < frames[1].size(); ++at) {
            auto changed = frames;
            changed[1][at] ^= 0x04;
            EXPECT_LE(joined(changed), 1) << at;
        }
    }
}

TEST(Join, ChecksumsThatAreKnownToBeRightAreNotComputed) {
    auto frames = test::segmented({.payload = 200}, 100);
    frames[1].back() ^= 1;
    Join join;
    ASSERT_TRUE(join.start(frames[0], Checksum::right, all));
    EXPECT_FALSE(join.add(frames[1], Checksum::unknown));
    EXPECT_TRUE(join.add(frames[1], Checksum::right));
}

TEST(Join, UdpWithoutAChecksumStaysSingle) {
    auto frames = test::segmented({.is_tcp = false, .payload = 200}, 100);
    for (Octets& frame : frames) write_16(&frame[40], 0);
    EXPECT_EQ(joined(frames), 0);
}

TEST(Join, OnlyTheKindsThatAreAskedFor) {
    const auto tcp4 = test::segmented({.payload = 200}, 100);
    const auto tcp6 = test::segmented({.is_ipv6 = true, .payload = 200}, 100);
    const auto udp = test::segmented({.is_tcp = false, .payload = 200}, 100);
    EXPECT_EQ(joined(tcp4, {.tcp6 = true, .udp = true}), 0);
    EXPECT_EQ(joined(tcp6, {.tcp4 = true, .udp = true}), 0);
    EXPECT_EQ(joined(udp, {.tcp4 = true, .tcp6 = true}), 0);
    EXPECT_EQ(joined(test::segmented({.tags = 2, .payload = 200}, 100)), 0)
        << "no device segments it";
}

TEST(Join, ASegmentStaysBelow64KiB) {
    const SegmentSpec spec{.payload = 60 * 1448};
    std::vector<Octets> frames;
    for (std::size_t number = 0; number < 60; ++number) {
        SegmentSpec part = spec;
        part.payload = 1448;
        part.id = static_cast<uint16_t>(spec.id + number);
        part.sequence = static_cast<uint32_t>(spec.sequence + number * 1448);
        frames.push_back(frame_of(part));
    }
    EXPECT_EQ(joined(frames), (65535 - spec.headers()) / 1448);
}

}  // namespace
}  // namespace sluice::offload

#include "dataplane/capture/capture_ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sluice {
namespace {

constexpr PortSet everywhere = ~PortSet{0};
const CaptureRing::Wanted everything{
    .received = everywhere, .sent = everywhere, .dropped = everywhere};

CaptureRecord record_of(std::size_t length, CapturedAs as = CapturedAs::received) {
    return {.time = Nanos(7),
            .depth = 0,
            .length = static_cast<uint16_t>(length),
            .copied = 0,
            .as = as,
            .reason = Drop::none,
            .port = 1,
            .priority = 3,
            .input = 1,
            .output = CaptureRecord::unknown};
}

// A ring, and frames of one letter each.
struct Tapped {
    explicit Tapped(const CaptureRing::Wanted& wanted)
        : ring(std::make_unique<CaptureRing>(wanted)) {}

    void keep(char letter, const CaptureRecord& record) {
        const std::vector<uint8_t> octets(record.length, static_cast<uint8_t>(letter));
        ring->keep(record, octets.data());
    }
    void stage(std::string_view letters, std::size_t length = 60) {
        for (const char letter : letters) {
            const std::vector<uint8_t> octets(length, static_cast<uint8_t>(letter));
            ring->stage(record_of(length, CapturedAs::sent), octets.data());
        }
    }
    // The letters of whole frames.
    std::string taken() {
        std::string letters;
        ring->take([&](const CaptureRecord& record, std::span<const uint8_t> octets) {
            EXPECT_EQ(record.copied, octets.size());
            EXPECT_TRUE(std::ranges::all_of(octets, [&](uint8_t o) { return o == octets[0]; }));
            letters += octets.empty() ? '-' : static_cast<char>(octets[0]);
        });
        return letters;
    }

    std::unique_ptr<CaptureRing> ring;
};

TEST(CaptureRing, AFrameComesBackAsItWas) {
    Tapped at(everything);
    for (const std::size_t length :
         {0U, 1U, 14U, 39U, 40U, 41U, 60U, 103U, 104U, 105U, 1518U, 9216U, 65535U}) {
        std::vector<uint8_t> octets(length);
        for (std::size_t n = 0; n < length; ++n) octets[n] = static_cast<uint8_t>(n * 7 + length);
        CaptureRecord record = record_of(length, CapturedAs::dropped_egress);
        record.reason = Drop::egress_down;
        record.depth = 12345;
        at.ring->keep(record, octets.data());
        int frames = 0;
        at.ring->take([&](const CaptureRecord& kept, std::span<const uint8_t> copy) {
            ++frames;
            EXPECT_EQ(kept.time, Nanos(7));
            EXPECT_EQ(kept.depth, 12345U);
            EXPECT_EQ(kept.reason, Drop::egress_down);
            EXPECT_EQ(kept.length, length);
            EXPECT_TRUE(std::ranges::equal(copy, octets)) << length;
        });
        EXPECT_EQ(frames, 1) << length;
    }
}

TEST(CaptureRing, LongFramesAreKeptInPart) {
    CaptureRing::Wanted wanted = everything;
    wanted.longest = 50;
    Tapped at(wanted);
    at.keep('a', record_of(49));
    at.keep('b', record_of(51));
    std::string lengths;
    at.ring->take([&](const CaptureRecord& record, std::span<const uint8_t> octets) {
        lengths += std::to_string(record.length) + ":" + std::to_string(octets.size()) + " ";
    });
    EXPECT_EQ(lengths, "49:49 51:50 ");
}

TEST(CaptureRing, KeepsWhatIsWantedByPortAndDirection) {
    Tapped at({.received = only(PortIndex{1}), .sent = only(PortIndex{2}), .dropped = 0});
    CaptureRecord record = record_of(60);
    at.keep('a', record);
    record.port = 2;
    at.keep('b', record);
    record.as = CapturedAs::sent;
    at.keep('c', record);
    record.as = CapturedAs::generated;
    at.keep('d', record);
    record.as = CapturedAs::dropped_ingress;
    at.keep('e', record);
    EXPECT_EQ(at.taken(), "acd");
}

TEST(CaptureRing, ADropIsOfThePortThatCountsItAndOfItsOutput) {
    Tapped at({.received = 0, .sent = 0, .dropped = only(PortIndex{5})});
    CaptureRecord record = record_of(60, CapturedAs::dropped_ingress);
    at.keep('a', record);
    record.port = 5;
    at.keep('b', record);
    record.port = 1;
    record.output = 5;
    at.keep('c', record);
    record.output = 6;
    at.keep('d', record);
    EXPECT_EQ(at.taken(), "bc");
}

TEST(CaptureRing, ByPriorityFramesThatHaveNoneAreLeftOut) {
    CaptureRing::Wanted wanted = everything;
    wanted.priorities = only_priority(3) | only_priority(7);
    Tapped at(wanted);
    CaptureRecord record = record_of(60);
    for (const Priority priority : {Priority{3}, Priority{4}, Priority{7}}) {
        record.priority = priority;
        at.keep(static_cast<char>('0' + priority), record);
    }
    record.priority = CaptureRecord::unknown;
    at.keep('u', record);
    EXPECT_EQ(at.taken(), "37");
    Tapped all(everything);
    all.keep('u', record);
    EXPECT_EQ(all.taken(), "u");
}

TEST(CaptureRing, WhatFindsNoRoomIsLostAndTheRestIsWhole) {
    Tapped at(everything);
    constexpr std::size_t cells_a_frame = 25;  // of 1518 octets
    constexpr std::size_t most = CaptureRing::cells / cells_a_frame;
    for (std::size_t n = 0; n < most + 3; ++n) at.keep('x', record_of(1518));
    EXPECT_EQ(at.ring->lost(), 3U);
    EXPECT_EQ(at.taken(), std::string(most, 'x'));
    at.keep('y', record_of(1518));
    EXPECT_EQ(at.taken(), "y");
    EXPECT_EQ(at.ring->lost(), 3U);
}

TEST(CaptureRing, WhatTheDeviceRefusesWasNeverThere) {
    Tapped at(everything);
    at.stage("abc");
    EXPECT_EQ(at.taken(), "");  // nobody knows yet
    at.ring->sent(2);
    EXPECT_EQ(at.taken(), "ab");
    at.stage("c");
    at.ring->sent(1);
    at.stage("d");
    at.ring->sent(0);
    EXPECT_EQ(at.taken(), "c");
}

TEST(CaptureRing, OnlyWhatWasSentIsLost) {
    Tapped at(everything);
    for (std::size_t n = 0; n < CaptureRing::cells / 2 - 1; ++n) at.keep('x', record_of(60));
    at.stage("abc");  // room for one
    at.ring->sent(2);
    EXPECT_EQ(at.ring->lost(), 1U);
    EXPECT_TRUE(at.taken().ends_with("xa"));
}

TEST(CaptureRing, BetweenThreadsEveryFrameIsWholeOrLost) {
    constexpr int frames = 20'000;
    Tapped at(everything);
    std::thread worker([&] {
        for (int n = 0; n < frames; ++n) {
            const auto length = static_cast<std::size_t>(60 + n % 1400);
            const std::vector<uint8_t> octets(length, static_cast<uint8_t>(n % 251));
            at.ring->keep(record_of(length), octets.data());
        }
    });
    uint64_t taken = 0;
    while (taken + at.ring->lost() < frames) taken += at.taken().size();
    worker.join();
    EXPECT_EQ(taken + at.ring->lost(), uint64_t{frames});
    EXPECT_GT(taken, 0U);
}

}  // namespace
}  // namespace sluice

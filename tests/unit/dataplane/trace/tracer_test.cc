// What is noted of traced frames, by each way through the switch.
#include "dataplane/trace/tracer.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/rig.h"
#include "tests/support/traced.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::lossless_settings;
using test::octets_of;
using test::pause_of;
using test::Rig;
using test::settings_of;
using test::station;
using test::Tag;
using test::three;
using test::to;
using test::Traced;

TEST(Tracer, AFrameThatBypassesSaysHowItWasParsedClassifiedAndForwarded) {
    Rig rig(settings_of(2));
    Traced traced(rig);
    rig.receive(0, "a", to(1, 5));
    rig.now += 7_us;
    rig.poll();
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 1U);
    const auto& [frame, copies] = frames[0];
    EXPECT_EQ(frame.port, 0);
    EXPECT_EQ(frame.length, 60);
    EXPECT_EQ(frame.received_at, rig.now - 7_us);
    EXPECT_EQ(read_address(frame.octets.data()), station(1));
    EXPECT_TRUE(frame.parsed && frame.classified && frame.looked_up && frame.is_member);
    EXPECT_EQ(frame.headers.source, station(0));
    EXPECT_EQ(frame.rule, PrioritySource::pcp);
    EXPECT_EQ(frame.priority, 5);
    EXPECT_EQ(frame.vlan, 1);
    EXPECT_TRUE(frame.destination.known);
    EXPECT_EQ(frame.destination.kind, EntryKind::fixed);
    EXPECT_EQ(frame.destination.port, 1);
    EXPECT_EQ(frame.outputs, only(PortIndex{1}));
    ASSERT_EQ(copies.size(), 1U);
    const CopyNotes& copy = frames[0].copy();
    EXPECT_EQ(copy.way, TraceWay::bypassed);
    EXPECT_EQ(copy.output, 1);
    EXPECT_FALSE(copy.left_voq || copy.mirrored || copy.paused);
    EXPECT_EQ(copy.why, Drop::none);
    EXPECT_EQ(copy.ended_at, rig.now);
    EXPECT_EQ(copy.length, 60);
    EXPECT_TRUE(frames[0].closed());
}

// Worker 1 is still in the poll that began before the order.
TEST(Tracer, AFrameIsChosenOnceAllWorkersNoteWhatLeaves) {
    TraceBoard board(2);
    Rig rig(settings_of(2, 2));
    rig.dataplane.trace_on(board);
    board.begin({.frames = 8});
    Released released;
    rig.dataplane.shard(0).housekeep(rig.now, released);
    rig.receive(0, "a", to(1));
    rig.slot();
    EXPECT_EQ(rig.transmit(1), 1U);
    EXPECT_EQ(board.areas()[0].frames_count(), 0U);
    rig.housekeep();
    rig.housekeep();
    rig.receive(0, "b", to(1));
    rig.slot();
    EXPECT_EQ(rig.transmit(1), 1U);
    ASSERT_EQ(board.areas()[0].frames_count(), 1U);
    EXPECT_TRUE(are_closed(board.areas()[0].copies_of(board.areas()[0].frame(0))));
}

TEST(Tracer, AFrameThatWaitsSaysWhatItFoundAndForHowLongItWaited) {
    Rig rig(test::without_bypass(settings_of(2)));
    rig.receive(0, "ab", to(1, 3));
    Traced traced(rig);
    rig.receive(0, "c", to(1, 3));
    rig.now += 1_us;
    rig.housekeep();  // times are of polls
    rig.slot();
    rig.now += 2_us;
    EXPECT_EQ(traced.complete(), 0U);
    rig.transmit(1);
    EXPECT_EQ(traced.complete(), 1U);
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 1U);
    const CopyNotes& copy = frames[0].copy();
    EXPECT_EQ(copy.way, TraceWay::queued);
    EXPECT_FALSE(copy.found.lossless);
    EXPECT_EQ(copy.found.frames, 2U);
    EXPECT_EQ(copy.found.queue, 512_B);  // a cell each
    const Bytes free = rig.dataplane.pool().size() - 512_B;
    EXPECT_EQ(copy.found.free, free);
    EXPECT_EQ(copy.found.threshold, free);  // alpha is 1
    EXPECT_TRUE(copy.left_voq);
    EXPECT_EQ(copy.left_voq_at - frames[0].frame.received_at, 1_us);
    EXPECT_EQ(copy.ended_at - frames[0].frame.received_at, 3_us);
}

TEST(Tracer, AFrameThatWaitsForAPauseSaysForHowLongOfThat) {
    Rig rig(lossless_settings());
    rig.receive(1, {octets_of(pause_of(three, 1000))});  // 51.2 us at 10G
    // Frames in the egress queue are ahead of the frame that waits in its VOQ.
    for (int burst = 0; burst < 2; ++burst) rig.receive(0, std::string(16, 'a'), to(1, 3));
    rig.slot();
    Traced traced(rig, {.priority = Priority{3}, .frames = 1});
    rig.receive(0, "b", to(1, 3));
    for (int poll = 0; poll < 40; ++poll) {
        rig.now += 2_us;
        rig.poll();
    }
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 1U);
    const CopyNotes& copy = frames[0].copy();
    EXPECT_TRUE(copy.paused);
    EXPECT_TRUE(copy.found.lossless);
    EXPECT_EQ(copy.found.xoff, 8_KiB);
    EXPECT_GT(copy.ahead_in_egress + copy.found.frames, 0U);
    EXPECT_EQ(copy.paused_in_all, pause_time(1000_quanta, 10_Gbps));
    EXPECT_EQ(copy.ended_at - frames[0].frame.received_at, 52_us);
    EXPECT_TRUE(frames[0].closed());
}

TEST(Tracer, WhatStillWaitsIsNoted) {
    Rig rig(lossless_settings());
    rig.receive(1, {octets_of(pause_of(three, 65535))});
    Traced traced(rig);
    rig.receive(0, "a", to(1, 3));
    rig.housekeep();
    EXPECT_EQ(traced.complete(), 0U);
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_FALSE(frames[0].closed());
    EXPECT_FALSE(frames[0].copy().left_voq);
    EXPECT_TRUE(frames[0].copy().paused);
    rig.flush();  // nothing more is noted of it
    EXPECT_FALSE(frames[0].closed());
}

TEST(Tracer, AFrameOverTheThresholdSaysWhichItWas) {
    Settings settings = test::without_bypass(settings_of(2));
    settings.buffer.size = Bytes(64 * 1024);
    Rig rig(settings);
    Traced traced(rig, {.frames = most_traced_frames});
    for (int burst = 0; burst < 3; ++burst) rig.receive(0, std::string(64, 'a'), to(1, 0));
    ASSERT_GT(rig.drops(0, Drop::over_threshold), 0U);
    EXPECT_EQ(traced.complete(), 0U) << "the first 64 wait";
    traced.frames();
    traced.begin({.frames = 1});
    rig.receive(0, "b", to(1, 0));
    EXPECT_EQ(traced.complete(), 1U);
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 1U);
    const CopyNotes& copy = frames[0].copy();
    EXPECT_EQ(copy.way, TraceWay::refused);
    EXPECT_EQ(copy.why, Drop::over_threshold);
    EXPECT_GT(copy.found.queue + 256_B, copy.found.threshold);
    EXPECT_TRUE(frames[0].closed());
}

TEST(Tracer, AFloodedFrameHasACopyForEachOutput) {
    Rig rig(settings_of(4));
    Traced traced(rig);
    rig.receive(0, "a", {.to = MacAddress{0x0200'0000'0999}, .from = station(0)});
    rig.run();
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_FALSE(frames[0].frame.destination.known);
    EXPECT_EQ(frames[0].frame.rule, PrioritySource::none);
    EXPECT_EQ(frames[0].frame.outputs, 0b1110U);
    ASSERT_EQ(frames[0].copies.size(), 3U);
    for (std::size_t n = 0; n < 3; ++n) {
        EXPECT_EQ(frames[0].copy(n).output, n + 1);
        EXPECT_TRUE(frames[0].closed(n));
    }
    EXPECT_TRUE(rig.at_rest());
}

TEST(Tracer, WhatEndsOnItsWayInSaysWhere) {
    Settings settings = settings_of(2);
    settings.vlan.filtering = true;
    settings.vlan.members[10] = 0b10;
    Rig rig(settings);
    Traced traced(rig);
    rig.receive(0, "a", {.tag = Tag{.vlan = 10, .pcp = 2}});
    rig.receive(0, {test::hex("020000000101 0200000001")});
    rig.receive(0, "b", {.to = station(0), .from = station(0)});
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 3U);
    EXPECT_EQ(frames[0].frame.why, Drop::vlan_filtered);
    EXPECT_FALSE(frames[0].frame.is_member);
    EXPECT_EQ(frames[0].frame.vlan, 10);
    EXPECT_EQ(frames[1].frame.why, Drop::runt);
    EXPECT_FALSE(frames[1].frame.parsed || frames[1].frame.classified);
    EXPECT_EQ(frames[2].frame.why, Drop::vlan_filtered);  // nobody is in VLAN 1
    for (const auto& one : frames) EXPECT_TRUE(one.copies.empty());
}

TEST(Tracer, ATagEditIsNotedAndTheFrameKnownBehindIt) {
    Settings settings = settings_of(2);
    settings.ports[1].tagging.aware = true;
    Rig rig(settings);
    Traced traced(rig);
    rig.receive(0, "a", {.to = station(1), .from = station(0)});
    rig.run();
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0].copy().edit, TagEdit::push_customer);
    EXPECT_EQ(frames[0].copy().vlan, 1);
    EXPECT_EQ(frames[0].copy().length, 64);
    EXPECT_TRUE(frames[0].closed());
}

TEST(Tracer, WhatADeviceRefusesIsCounted) {
    Rig rig(settings_of(2));
    Traced traced(rig);
    rig.receive(0, "ab", to(1, 3));
    rig.slot();
    rig.transmit(1, 1);
    rig.transmit(1, 0);
    EXPECT_EQ(traced.complete(), 1U);
    rig.transmit(1);
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0].copy().refused_by_device, 0U);
    EXPECT_EQ(frames[1].copy().refused_by_device, 2U);
    EXPECT_TRUE(frames[1].closed());
}

// On both sides of the fabric.
TEST(Tracer, WhatFallsToALostLinkSaysSo) {
    Rig rig(test::without_bypass(settings_of(3)));
    Traced traced(rig);
    rig.receive(0, "a", to(1, 3));
    rig.receive(0, "b", to(2, 3));
    rig.slot();
    rig.dataplane.set_link(1, false);
    rig.dataplane.set_link(2, false);
    rig.housekeep();
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0].copy().why, Drop::egress_down);
    EXPECT_TRUE(frames[0].copy().left_voq);
    EXPECT_EQ(frames[1].copy().why, Drop::egress_down);
    EXPECT_FALSE(frames[1].copy().left_voq);
}

TEST(Tracer, AMirrorGetsACopyThatCanBeDistinguished) {
    Settings settings = settings_of(3);
    settings.mirrors.push_back(
        {.from = only(PortIndex{0}), .direction = MirrorDirection::ingress, .to = 2});
    Rig rig(settings);
    Traced traced(rig);
    rig.receive(0, "a", to(1, 3));
    rig.run();
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 1U);
    ASSERT_EQ(frames[0].copies.size(), 2U);
    EXPECT_FALSE(frames[0].copy(0).mirrored);
    EXPECT_TRUE(frames[0].copy(1).mirrored);
    EXPECT_EQ(frames[0].copy(1).output, 2);
}

// By both paths between workers; on the second the frame waits for a grant.
TEST(Tracer, AFrameIsFollowedToAnotherWorker) {
    for (const bool bypass : {true, false}) {
        Settings settings = settings_of(2, 2);
        settings.fabric.bypass = bypass;
        Rig rig(settings);
        Traced traced(rig);
        rig.receive(0, "a", to(1, 3));
        rig.run();
        EXPECT_EQ(rig.sent(1), "a");
        const auto frames = traced.frames();
        ASSERT_EQ(frames.size(), 1U);
        EXPECT_EQ(frames[0].copy().way, bypass ? TraceWay::handed_over : TraceWay::queued);
        EXPECT_EQ(frames[0].copy().left_voq, !bypass);
        EXPECT_TRUE(frames[0].closed());
    }
}

// --- which frames ---

TEST(Tracer, TheNextFramesAreTracedAndNoMore) {
    Rig rig(settings_of(2));
    Traced traced(rig, {.frames = 2});
    rig.receive(0, "abc", to(1, 3));
    rig.receive(0, "d", to(1, 3));
    rig.run();
    EXPECT_EQ(traced.frames().size(), 2U);
    EXPECT_EQ(rig.sent(1), "abcd");
}

TEST(Tracer, AFilterIsOfAllThatItSays) {
    Rig rig(settings_of(3));
    const auto matched = [&](const TraceFilter& filter) {
        Traced traced(rig, filter);
        rig.receive(0, {octets_of(to(1, 3)), octets_of(to(2, 3)), octets_of(to(2, 4))});
        rig.receive(1, {octets_of(to(2, 3, 1))});
        rig.run();
        std::string ways;
        for (const auto& one : traced.frames()) {
            ways += std::to_string(one.frame.port) + std::to_string(one.copy().output) + " ";
        }
        return ways;
    };
    EXPECT_EQ(matched({.frames = 9}), "01 02 02 12 ");
    EXPECT_EQ(matched({.ports = 0b10, .frames = 9}), "12 ");
    EXPECT_EQ(matched({.destination = station(2), .frames = 9}), "02 02 12 ");
    EXPECT_EQ(matched({.source = station(0), .frames = 9}), "01 02 02 ");
    EXPECT_EQ(matched({.priority = Priority{4}, .frames = 9}), "02 ");
    EXPECT_EQ(matched({.vlan = VlanId{1}, .frames = 9}), "01 02 02 12 ");
    EXPECT_EQ(matched({.vlan = VlanId{2}, .frames = 9}), "");
    EXPECT_EQ(matched({.destination = station(2),
                       .source = station(0),
                       .priority = Priority{3},
                       .frames = 9}),
              "02 ");
}

// A trace does not change what happens to frames.
TEST(Tracer, WhatIsTracedFaresAsItWould) {
    const auto fate = [](bool trace) {
        Settings settings = settings_of(4);
        settings.buffer.size = Bytes(64 * 1024);
        Rig rig(settings);
        TraceBoard board(1);
        rig.dataplane.trace_on(board);
        if (trace) board.begin({.frames = most_traced_frames});
        rig.housekeep();
        std::string sent;
        for (int round = 0; round < 20; ++round) {
            for (PortIndex input = 0; input < 3; ++input) {
                rig.receive(input, std::string(48, static_cast<char>('a' + input)),
                            to(3, static_cast<uint8_t>(round % 8), input));
                rig.receive(input, "x", {.to = broadcast, .from = station(input)});
            }
            rig.slot();
            for (PortIndex output = 0; output < 4; ++output) rig.transmit(output, 24);
        }
        rig.run();
        for (PortIndex output = 0; output < 4; ++output) sent += rig.sent(output) + " ";
        for (PortIndex input = 0; input < 3; ++input) {
            sent += std::to_string(rig.drops(input, Drop::over_threshold)) + " ";
        }
        EXPECT_TRUE(rig.at_rest());
        return sent;
    };
    EXPECT_EQ(fate(true), fate(false));
}

}  // namespace
}  // namespace sluice

// Trimming through the whole switch: whose frames are cut, where the rest goes, how much of it, and
// that everything adds up.
#include <gtest/gtest.h>

#include <string>

#include "dataplane/egress/dscp.h"
#include "tests/support/rig.h"
#include "tests/support/segments.h"
#include "tests/support/traced.h"

namespace sluice {
namespace {

using namespace literals;
using test::Octets;
using test::Rig;
using test::station;

constexpr uint8_t data = 10;
constexpr uint8_t trimmed = 11;
constexpr std::size_t whole = 1500;

// A frame for port 1, of 1500 octets.
Octets ipv4(uint8_t dscp) {
    Octets octets = test::frame_of({.is_tcp = false, .payload = whole - 42});
    write_dscp(&octets[14], dscp);
    return octets;
}
Octets ipv6(uint8_t dscp) {
    Octets octets = test::frame_of({.is_ipv6 = true, .is_tcp = false, .payload = whole - 62});
    write_dscp(&octets[14], dscp);
    return octets;
}

// Two ports and more; a VOQ holds 16 frames of 1500 octets, and port 1 trims priority 0 to 128
// octets of priority 6.
Settings trimming(std::size_t ports = 3) {
    Settings settings = test::without_bypass(test::settings_of(ports));
    settings.buffer = {.size = 48_KiB, .cell = 256_B, .alpha_128 = 128};
    settings.ports[1].trim = {.priorities = 0x01, .share_128 = 64};
    settings.ports[1].trim.dscp[data] = trimmed;
    return settings;
}

struct Sent {
    std::string lengths;  // w: whole, t: trimmed
    std::size_t trimmed = 0;
};
Sent sent(const Rig& rig, PortIndex output) {
    Sent seen;
    for (const test::Departure& departure : rig.departures(output)) {
        const Octets& octets = departure.octets();
        const bool is_whole = octets.size() >= whole;
        EXPECT_EQ(departure.priority, is_whole ? 0 : 6);
        EXPECT_EQ(dscp_of(&octets[14]), is_whole ? data : trimmed);
        seen.lengths += is_whole ? 'w' : 't';
        if (!is_whole) ++seen.trimmed;
    }
    return seen;
}

TEST(SwitchTrim, WhatFindsNoRoomIsCutAndGoesByItsOwnQueue) {
    for (const Octets& frame : {ipv4(data), ipv6(data)}) {
        Rig rig(trimming());
        rig.receive(0, std::vector<Octets>(24, frame));
        const Ingress& ingress = rig.dataplane.ingress(0);
        EXPECT_EQ(ingress.trimmed({1, 0}), 8U);
        EXPECT_EQ(ingress.dropped({1, 0}), 0U);
        EXPECT_EQ(ingress.voq(1, 6).waiting(), 8U);
        rig.run();
        // Strict priority: trimmed frames leave first, though they came last.
        EXPECT_EQ(sent(rig, 1).lengths, std::string(8, 't') + std::string(16, 'w'));
        EXPECT_TRUE(rig.at_rest());
    }
}

TEST(SwitchTrim, NothingIsTrimmedThatIsNotToBe) {
    const auto lost = [](const Settings& settings, const Octets& frame) {
        Rig rig(settings);
        rig.receive(0, std::vector<Octets>(24, frame));
        EXPECT_EQ(rig.dataplane.ingress(0).trimmed({1, 0}), 0U);
        const uint64_t drops = rig.drops(0, Drop::over_threshold);
        EXPECT_EQ(rig.dataplane.ingress(0).dropped({1, 0}), drops);
        rig.run();
        EXPECT_TRUE(rig.at_rest());
        return drops;
    };
    EXPECT_EQ(lost(trimming(), ipv4(0)), 8U) << "another DSCP";
    EXPECT_EQ(lost(trimming(), ipv4(trimmed)), 8U) << "trimmed already";
    Octets not_ip = ipv4(data);
    write_16(&not_ip[12], 0x88B5);
    EXPECT_EQ(lost(trimming(), not_ip), 8U);
    Settings others = trimming();
    others.ports[1].trim.priorities = 0x02;
    EXPECT_EQ(lost(others, ipv4(data)), 8U) << "another priority";
    Settings lossless = trimming();
    for (PortSettings& port : lossless.ports) {
        port.pfc.lossless = 0x40;
        port.pfc.headroom = 0_B;
    }
    lossless.buffer.size += 1536_B * 3;  // set aside
    EXPECT_EQ(lost(lossless, ipv4(data)), 8U) << "the queue of trimmed frames became lossless";
}

TEST(SwitchTrim, NothingOfALosslessPriorityIsTrimmed) {
    Settings settings = trimming();
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = 0x01;
        port.pfc.xoff = 4_KiB;
        port.pfc.xon = 2_KiB;
        port.pfc.headroom = 8_KiB;
    }
    Rig rig(settings);
    rig.receive(0, std::vector<Octets>(24, ipv4(data)));
    EXPECT_EQ(rig.dataplane.ingress(0).trimmed({1, 0}), 0U);
    EXPECT_GT(rig.drops(0, Drop::headroom_overrun), 0U);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

// Copies share their octets.
TEST(SwitchTrim, NothingThatGoesToSeveralIsTrimmed) {
    Rig rig(trimming());
    Octets flooded = ipv4(data);
    write_address(flooded.data(), test::broadcast);
    rig.receive(0, std::vector<Octets>(40, flooded));
    EXPECT_EQ(rig.dataplane.ingress(0).trimmed({1, 0}), 0U);
    EXPECT_GT(rig.dataplane.ingress(0).dropped({1, 0}), 0U);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchTrim, TheShareIsBounded) {
    Settings settings = trimming();
    settings.ports[1].trim.share_128 = 8;
    Rig rig(settings);
    constexpr std::size_t rounds = 40;
    for (std::size_t round = 0; round < rounds; ++round) {
        rig.receive(0, std::vector<Octets>(60, ipv4(data)));
        rig.poll();
    }
    rig.run();
    const Sent seen = sent(rig, 1);
    const uint64_t octets = rig.dataplane.counters(1).tx_bytes.value();
    const std::size_t cut = seen.trimmed * 128;
    EXPECT_GT(cut, octets / 20) << "it is used";
    EXPECT_LE(cut, octets / 16 + 32 * 1024);
    const Ingress& ingress = rig.dataplane.ingress(0);
    EXPECT_EQ(ingress.dropped({1, 0}), rig.drops(0, Drop::over_threshold));
    EXPECT_EQ(rounds * 60, seen.lengths.size() + rig.drops(0, Drop::over_threshold));
    EXPECT_EQ(ingress.trimmed({1, 0}), seen.trimmed);
    EXPECT_TRUE(rig.at_rest());
}

// The buffer has no room for the trimmed frame: it is dropped, and counted under a name of its own.
TEST(SwitchTrim, AFullQueueOfTrimmedFramesRefuses) {
    Settings settings = trimming();
    settings.buffer.alpha_128 = 16384;
    Rig rig(settings);
    rig.receive(0, std::vector<Octets>(60, ipv4(data)));
    const Ingress& ingress = rig.dataplane.ingress(0);
    EXPECT_GT(rig.drops(0, Drop::trim_refused), 0U);
    EXPECT_EQ(ingress.trim_dropped({1, 0}), rig.drops(0, Drop::trim_refused));
    EXPECT_EQ(ingress.dropped({1, 6}), rig.drops(0, Drop::trim_refused));
    EXPECT_EQ(ingress.dropped({1, 0}), rig.drops(0, Drop::over_threshold));
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

// The tag is pushed only when the frame leaves: it is trimmed in the form in which it came.
TEST(SwitchTrim, ATagIsPushedOntoWhatIsLeft) {
    Settings settings = trimming();
    settings.vlan.filtering = true;
    settings.vlan.members[1] = ~PortSet{0};
    settings.vlan.untagged[1] = only(0);
    for (PortSettings& port : settings.ports) port.tagging.aware = true;
    Rig rig(settings);
    rig.receive(0, std::vector<Octets>(24, ipv4(data)));
    rig.run();
    std::size_t cut = 0;
    for (const test::Departure& departure : rig.departures(1)) {
        const Octets& octets = departure.octets();
        EXPECT_EQ(read_16(&octets[12]), 0x8100);
        const bool is_whole = dscp_of(&octets[18]) == data;
        EXPECT_EQ(octets.size(), is_whole ? whole + 4 : 128U + 4);
        EXPECT_EQ(read_16(&octets[20]), is_whole ? whole - 14 : 128 - 14);
        EXPECT_EQ(test::plain_sum(std::span(octets).subspan(18, 20)), 0xFFFF);
        cut += is_whole ? 0 : 1;
    }
    EXPECT_EQ(cut, rig.dataplane.ingress(0).trimmed({1, 0}));
    EXPECT_GT(cut, 0U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchTrim, ATraceHasBoth) {
    Rig rig(trimming());
    rig.receive(0, std::vector<Octets>(16, ipv4(data)));
    test::Traced traced(rig);
    rig.receive(0, {ipv4(data)});
    rig.run();
    const auto frames = traced.frames();
    ASSERT_EQ(frames.size(), 1U);
    ASSERT_EQ(frames[0].copies.size(), 2U);
    EXPECT_EQ(frames[0].copy(0).way, TraceWay::queued);
    EXPECT_EQ(frames[0].copy(0).priority, 6);
    EXPECT_EQ(frames[0].copy(0).length, 128);
    EXPECT_EQ(frames[0].copy(1).way, TraceWay::trimmed);
    EXPECT_EQ(frames[0].copy(1).priority, 0);
    EXPECT_TRUE(frames[0].closed(0) && frames[0].closed(1));
}

}  // namespace
}  // namespace sluice

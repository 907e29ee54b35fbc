// A frame's journey through the whole switch, in one thread.
#include "dataplane/switch.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::FrameSpec;
using test::hex;
using test::Rig;
using test::settings_of;
using test::station;
using test::without_bypass;

FrameSpec to(unsigned port, uint8_t pcp = 0, unsigned from = 0) {
    return {.to = station(port), .from = station(from), .tag = test::Tag{.vlan = 0, .pcp = pcp}};
}

TEST(Switch, CarriesAFrameFromPortToPort) {
    Rig rig(without_bypass(settings_of(4)));  // across the fabric
    rig.receive(0, "a", to(2));
    EXPECT_FALSE(rig.dataplane.empty());
    EXPECT_EQ(rig.slot(), 1U);
    EXPECT_EQ(rig.transmit(2), 1U);
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_EQ(rig.dataplane.counters(0).rx_frames.value(), 1U);
    EXPECT_EQ(rig.dataplane.counters(0).rx_bytes.value(), 60U);
    EXPECT_EQ(rig.dataplane.counters(2).tx_frames.value(), 1U);
    EXPECT_EQ(rig.dataplane.counters(2).tx_bytes.value(), 60U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(Switch, LeavesTheOctetsAsTheyWere) {
    Rig rig(settings_of(2));
    const auto octets = test::octets_of(to(1, 5));
    rig.receive(0, {octets});
    rig.run();
    ASSERT_EQ(rig.departures(1).size(), 1U);
    EXPECT_EQ(rig.departures(1).front().buffer->octets, octets);
}

TEST(Switch, KeepsOrderAndPrefersTheHigherPriority) {
    Rig rig(settings_of(2));
    rig.receive(0, "abc", to(1, 0));
    rig.receive(0, "XYZ", to(1, 7));
    rig.run();
    EXPECT_EQ(rig.sent(1), "XYZabc");
}

// Frames take VOQs: otherwise those of one input would fill the egress queue first.
TEST(Switch, ServesInputsInTurn) {
    Settings settings = without_bypass(settings_of(4));
    settings.fabric.quantum = 1518_B;
    Rig rig(settings);
    for (PortIndex input = 0; input < 3; ++input) {
        FrameSpec full = to(3, 0, input);
        full.length = 1518;  // a quantum
        rig.receive(input, std::string(3, static_cast<char>('a' + input)), full);
    }
    rig.run();
    EXPECT_EQ(rig.sent(3), "abcabcabc");
}

TEST(Switch, AFullBurstCrossesWhole) {
    Rig rig(settings_of(2));
    std::string names;
    for (std::size_t n = 0; n < max_burst; ++n) names += static_cast<char>('!' + n);
    rig.receive(0, names, to(1));
    rig.run();
    EXPECT_EQ(rig.sent(1), names);
    EXPECT_TRUE(rig.at_rest());
}

TEST(Switch, WhatTheDeviceRefusesIsSentLaterInOrder) {
    Rig rig(settings_of(2));
    rig.receive(0, "abcdefgh", to(1, 3));
    rig.slot();
    rig.transmit(1, 3);
    EXPECT_EQ(rig.sent(1), "abc");
    rig.transmit(1, 0);
    rig.transmit(1, 1);
    rig.receive(0, "ijk", to(1, 3));
    rig.run();
    EXPECT_EQ(rig.sent(1), "abcdefghijk");
    EXPECT_TRUE(rig.at_rest());
}

// Refusing is back-pressure: it fills the egress queue, then the VOQ, and only then drops.
TEST(Switch, RefusalBacksUpIntoTheVoqs) {
    Settings settings = settings_of(2);
    settings.fabric.quantum = 1518_B;
    Rig rig(settings);
    FrameSpec full = to(1);
    full.length = 1500;
    for (int burst = 0; burst < 10; ++burst) rig.receive(0, std::string(10, 'a'), full);
    for (int poll = 0; poll < 50; ++poll) {
        rig.slot();
        rig.transmit(1, 0);
    }
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.dataplane.counters(0).drops.total(), 0U);
    EXPECT_LE(rig.dataplane.egress(1).waiting(), 3U);  // two quanta and a frame
    EXPECT_GE(rig.dataplane.ingress(0).voq(1, 0).waiting(), 97U);
    rig.run();
    EXPECT_EQ(rig.sent(1).size(), 100U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(Switch, APausedPriorityDoesNotHoldUpAnother) {
    Settings settings = settings_of(2);
    settings.ports[1].pfc.lossless = 0b0000'1000;
    Rig rig(settings);
    rig.receive(0, "aaaaaa", to(1, 3));
    rig.receive(1, {hex("0180c2000001 020000000101 8808 0101 0008"
                        "0000 0000 0000 ffff 0000 0000 0000 0000")});
    rig.receive(0, "bb", to(1, 0));
    rig.poll();
    EXPECT_EQ(rig.sent(1), "bb");
    rig.now += 4_ms;  // 65535 quanta at 10G are 3.36 ms
    rig.run();
    EXPECT_EQ(rig.sent(1), "bbaaaaaa");
    EXPECT_TRUE(rig.at_rest());
}

// --- what ends at the port -----------------------------------------------------------------------

}  // namespace
}  // namespace sluice

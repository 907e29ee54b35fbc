// Congestion marks through the whole switch: who gets one, and that nobody else's octets change.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/both_ways.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::Octets;
using test::Rig;
using test::station;

constexpr uint8_t ect = 2;
constexpr uint8_t ce = 3;

// An IPv4 frame with this ECN field, and a checksum that is not looked at here.
Octets ipv4(PortIndex output, uint8_t ecn, PortIndex input = 0) {
    Octets octets = test::octets_of(
        {.to = station(output), .from = station(input), .ether_type = 0x0800, .length = 100});
    octets[14] = 0x45;
    octets[15] = ecn;
    return octets;
}
uint8_t ecn_of(const test::Departure& departure) { return departure.buffer->octets[15] & 3; }

// Priority 0 is lossless at every port.
Settings lossless(Settings settings, Bytes xoff) {
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = 0x01;
        port.pfc.xoff = xoff;
        port.pfc.xon = xoff / 2;
        port.pfc.headroom = xoff;
    }
    return settings;
}

std::string marks(const Rig& rig, PortIndex output) {
    std::string seen;
    for (const test::Departure& departure : rig.departures(output)) {
        seen += ecn_of(departure) == ce ? 'C' : '-';
    }
    return seen;
}

class SwitchEcn : public test::BothWays {
  protected:
    // Output 1 marks everything that leaves more than 16 cells of 256.
    static Settings marking() {
        Settings settings = settings_of(4);
        settings.ports[1].ecn[0] = {.low = 4096_B, .high = 4097_B, .probability_65536 = 65536};
        settings.fabric.quantum = 1518_B;  // 16 frames of 100 octets
        return settings;
    }
    // Frames that cannot be marked are dropped by the same curve.
    static Settings dropping() {
        Settings settings = marking();
        settings.ports[1].ecn[0] = {
            .low = 4095_B, .high = 4096_B, .probability_65536 = 65536, .drop = true};
        return settings;
    }
};
INSTANTIATE_TEST_SUITE_P(Ways, SwitchEcn, testing::Bool(), test::way);

TEST_P(SwitchEcn, MarksByTheDepthOfTheColumnAtDequeue) {
    Rig rig(marking());
    rig.receive(0, std::vector<Octets>(20, ipv4(1, ect)));
    rig.receive(2, std::vector<Octets>(8, ipv4(1, ect, 2)));
    rig.run();
    // 28 frames wait when the first 16 leave, and at most 12 after that.
    const std::string seen = marks(rig, 1);
    EXPECT_EQ(seen, std::string(16, 'C') + std::string(12, '-'));
    const uint64_t counted =
        rig.dataplane.ingress(0).marked({1, 0}) + rig.dataplane.ingress(2).marked({1, 0});
    EXPECT_EQ(counted, 16U);
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchEcn, WhatIsNotCapableOfItIsNeverMarkedNorDropped) {
    Rig rig(marking());
    rig.receive(0, std::vector<Octets>(40, ipv4(1, 0)));
    rig.run();
    EXPECT_EQ(marks(rig, 1), std::string(40, '-'));
    EXPECT_EQ(rig.dataplane.ingress(0).marked({1, 0}), 0U);
}

TEST_P(SwitchEcn, AnotherOutputHasAnotherCurve) {
    Rig rig(marking());
    rig.receive(0, std::vector<Octets>(40, ipv4(2, ect)));
    rig.run();
    EXPECT_EQ(marks(rig, 2), std::string(40, '-'));
}

TEST_P(SwitchEcn, AFrameThatIsNotIpIsLeftAlone) {
    Rig rig(marking());
    Octets plain = test::octets_of({.to = station(1), .length = 100});
    plain[14] = 0x45;
    plain[15] = ect;
    rig.receive(0, std::vector<Octets>(40, plain));
    rig.run();
    EXPECT_EQ(marks(rig, 1), std::string(40, '-'));
}

// The copies of a flooded frame share their octets: a mark for one would be a mark for all.
TEST_P(SwitchEcn, AFloodedFrameIsNeverMarked) {
    Rig rig(marking());
    Octets flooded = ipv4(1, ect);
    write_address(flooded.data(), test::broadcast);
    rig.receive(0, std::vector<Octets>(40, flooded));
    rig.run();
    EXPECT_EQ(marks(rig, 1), std::string(40, '-'));
    EXPECT_EQ(marks(rig, 2), std::string(40, '-'));
}

TEST_P(SwitchEcn, WhereTheCurveDropsWhatTakesNoMarkIsDroppedAsItComes) {
    Rig rig(dropping());
    rig.receive(0, std::vector<Octets>(20, ipv4(1, 0)));
    EXPECT_EQ(rig.drops(0, Drop::wred), 4U) << "16 cells wait, and are the end of the curve";
    EXPECT_EQ(rig.dataplane.ingress(0).dropped({1, 0}), 4U);
    // The curve goes by all frames that wait for the output, from any input.
    rig.receive(2, std::vector<Octets>(8, ipv4(1, 0, 2)));
    EXPECT_EQ(rig.drops(2, Drop::wred), 8U);
    rig.run();
    EXPECT_EQ(marks(rig, 1), std::string(16, '-'));
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchEcn, WhereTheCurveDropsWhatIsEcnCapableIsMarked) {
    for (const uint8_t ecn : {uint8_t{1}, ect, ce}) {
        Rig rig(dropping());
        rig.receive(0, std::vector<Octets>(28, ipv4(1, ecn)));
        rig.run();
        EXPECT_EQ(rig.drops(0, Drop::wred), 0U);
        EXPECT_EQ(marks(rig, 1).substr(0, 16), std::string(16, 'C'));
        EXPECT_EQ(marks(rig, 1).size(), 28U);
    }
}

// With ECN below XOFF, frames of a growing queue are marked before the peer is paused.
TEST_P(SwitchEcn, ActsBeforePfc) {
    Rig rig(lossless(marking(), 16_KiB));
    uint64_t marked_before = 0;
    // More comes than the device takes.
    for (int turn = 0; turn < 100 && rig.dataplane.ingress(0).pause_sender().pausing() == 0;
         ++turn) {
        marked_before = rig.dataplane.ingress(0).marked({1, 0});
        rig.receive(0, std::vector<Octets>(10, ipv4(1, ect)));
        rig.slot();
        rig.transmit(1, 8);
    }
    EXPECT_NE(rig.dataplane.ingress(0).pause_sender().pausing(), 0);
    EXPECT_GT(marked_before, 50U);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

// What a format may have besides addresses, in the whole switch: ECN is marked, a flow label
// spreads flows, a TTL is lowered.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::Octets;
using test::Rig;

// SAI's header of the family: octet 6 of DSCP and ECN, a label in octet 1, a TTL in the first half
// of octet 2.
FrameFormat with_fields() {
    FrameFormat format = presets[5];
    format.traffic_class.mask = 0xFC;
    format.ecn = {54, 2};
    format.flow_label = {8, 8};
    format.ttl = {16, 4};
    return format;
}
Settings of_fields(std::size_t ports) {
    Settings settings = test::settings_of(ports);
    settings.fdb.static_entries.clear();
    for (PortSettings& port : settings.ports) port.format = with_fields();
    return settings;
}

struct Spec {
    uint16_t to = 0;
    uint16_t from = 0;
    uint8_t ecn = 0;
    uint8_t label = 0;
    uint8_t ttl = 9;
    bool group = false;
};
Octets frame(const Spec& spec) {
    Octets octets(60);
    octets[0] = spec.group ? 0x03 : 0x02;
    octets[1] = spec.label;
    octets[2] = static_cast<uint8_t>(spec.ttl << 4 | 0x0A);
    write_16(&octets[4], spec.to);
    octets[6] = static_cast<uint8_t>(0x14 | spec.ecn);
    write_16(&octets[10], spec.from);
    return octets;
}

void learn(Rig& rig, PortIndex port, uint16_t id) {
    rig.receive(port, {frame({.to = id, .from = id})});
    rig.run();
    for (PortIndex out = 0; out < rig.dataplane.port_count(); ++out) rig.sent_now(out);
}

TEST(SwitchFormatFields, EcnIsMarkedInTheFormatAndNothingElseChanges) {
    Settings settings = of_fields(2);
    settings.ports[1].ecn[0] = {.low = 1_B, .high = 2_B, .probability_65536 = 65536};
    settings.fabric.quantum = 1518_B;
    Rig rig(settings);
    learn(rig, 1, 2);
    for (uint8_t ecn = 0; ecn < 4; ++ecn) {
        rig.receive(0, std::vector<Octets>(4, frame({.to = 2, .from = 1, .ecn = ecn})));
        rig.run();
        const Octets due =
            frame({.to = 2, .from = 1, .ecn = static_cast<uint8_t>(ecn == 0 ? 0 : 3), .ttl = 8});
        for (const test::Departure& departure : rig.departures(1)) {
            EXPECT_EQ(departure.buffer->octets, due);
        }
        EXPECT_EQ(rig.sent_now(1).size(), 4U);
    }
    EXPECT_EQ(rig.dataplane.ingress(0).marked({1, 0}), 8U);
}

TEST(SwitchFormatFields, AFlowLabelSpreadsAndKeepsAFlowTogether) {
    Settings settings = of_fields(4);
    settings.aggregations = {{.members = 0b1110, .hash = DistributionHash::l4}};
    Rig rig(settings);
    learn(rig, 1, 2);
    std::array<std::size_t, 4> took{};
    for (int label = 1; label < 256; ++label) {
        PortIndex way = max_ports;
        for (int turn = 0; turn < 2; ++turn) {
            rig.receive(0, {frame({.to = 2, .from = 1, .label = static_cast<uint8_t>(label)})},
                        "x");
            rig.run();
            for (PortIndex port = 1; port < 4; ++port) {
                if (rig.sent_now(port).empty()) continue;
                ++took[port];
                EXPECT_TRUE(way == max_ports || way == port) << label;
                way = port;
            }
        }
    }
    for (PortIndex port = 1; port < 4; ++port) EXPECT_GT(took[port], 100U);
}

TEST(SwitchFormatFields, ATtlIsLoweredAlsoInAFloodAndThenExpires) {
    Rig rig(of_fields(3));
    rig.receive(0, {frame({.to = 7, .from = 1, .ttl = 2, .group = true})});
    rig.run();
    for (PortIndex port = 1; port < 3; ++port) {
        ASSERT_EQ(rig.departures(port).size(), 1U);
        EXPECT_EQ(rig.departures(port).front().buffer->octets,
                  frame({.to = 7, .from = 1, .ttl = 1, .group = true}));
    }
    for (uint8_t ttl = 0; ttl < 2; ++ttl) rig.receive(0, {frame({.to = 7, .from = 1, .ttl = ttl})});
    EXPECT_EQ(rig.drops(0, Drop::ttl_expired), 2U);
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

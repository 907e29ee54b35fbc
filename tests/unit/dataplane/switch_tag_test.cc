// Tags that a switch puts on, takes off and replaces, port by port.
#include <gtest/gtest.h>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::hex;
using test::Octets;
using test::Rig;
using test::station;

void make_aware(Settings& settings, PortIndex port, TagType type = TagType::customer) {
    settings.ports[port].tagging.aware = true;
    settings.ports[port].tagging.type = type;
}

// Ports 0 and 1 are access ports of VLANs 10 and 20; 2 is a trunk of both whose native VLAN is 20;
// 3 a provider's port for VLAN 10.
Settings office() {
    Settings settings = test::settings_of(4);
    settings.fdb.static_entries.clear();
    settings.vlan.filtering = true;
    settings.vlan.members[10] = 0b1101;
    settings.vlan.untagged[10] = 0b0001;
    settings.vlan.members[20] = 0b0110;
    settings.vlan.untagged[20] = 0b0110;
    settings.ports[0].default_vlan = 10;
    settings.ports[1].default_vlan = settings.ports[2].default_vlan = 20;
    for (PortIndex port = 0; port < 3; ++port) make_aware(settings, port);
    make_aware(settings, 3, TagType::service);
    settings.ports[3].tagging.accept = FrameTypes::tagged;
    return settings;
}

const Octets untagged = hex("ffffffffffff 020000000100 88b5 010203");
const Octets in_ten = hex("ffffffffffff 020000000100 8100 000a 88b5 010203");
const Octets in_service_ten = hex("ffffffffffff 020000000100 88a8 000a 88b5 010203");
const Octets in_twenty = hex("ffffffffffff 020000000100 8100 0014 88b5 010203");

// Returns the frame that each port sends after one port has received `octets`.
std::string sent_by(Rig& rig, PortIndex input, const Octets& octets) {
    rig.receive(input, {octets}, "x");
    rig.run();
    std::string seen;
    for (PortIndex port = 0; port < rig.dataplane.port_count(); ++port) {
        for (const test::Departure& departure : rig.departures(port)) {
            const Octets& as = departure.octets();
            const std::string_view what = as == untagged         ? "untagged"
                                          : as == in_ten         ? "10"
                                          : as == in_twenty      ? "20"
                                          : as == in_service_ten ? "service 10"
                                                                 : "something else";
            seen += (seen.empty() ? "" : ", ") + std::to_string(port) + " " + std::string(what);
        }
        rig.sent_now(port);
    }
    EXPECT_TRUE(rig.at_rest());
    return seen;
}

TEST(SwitchTag, FromAccessToTrunkAndBack) {
    Rig rig(office());
    EXPECT_EQ(sent_by(rig, 0, untagged), "2 10, 3 service 10");
    EXPECT_EQ(sent_by(rig, 2, in_ten), "0 untagged, 3 service 10");
    EXPECT_EQ(sent_by(rig, 3, in_service_ten), "0 untagged, 2 10");
}

TEST(SwitchTag, TheNativeVlanHasNoTag) {
    Rig rig(office());
    EXPECT_EQ(sent_by(rig, 1, untagged), "2 untagged");
    EXPECT_EQ(sent_by(rig, 2, untagged), "1 untagged");
    EXPECT_EQ(sent_by(rig, 2, in_twenty), "1 untagged");
}

TEST(SwitchTag, AVlanThatAPortIsNotInStaysOut) {
    Rig rig(office());
    EXPECT_EQ(sent_by(rig, 0, in_twenty), "");
    EXPECT_EQ(rig.drops(0, Drop::vlan_filtered), 1U);
}

TEST(SwitchTag, APortTakesTheFramesItIsFor) {
    Settings settings = office();
    settings.ports[0].tagging.accept = FrameTypes::untagged;
    Rig rig(settings);
    EXPECT_EQ(sent_by(rig, 3, untagged), "");
    EXPECT_EQ(sent_by(rig, 3, in_ten), "");  // not the provider's tag
    EXPECT_EQ(rig.drops(3, Drop::tag_required), 2U);
    EXPECT_EQ(sent_by(rig, 0, in_ten), "");
    EXPECT_EQ(rig.drops(0, Drop::tag_refused), 1U);
}

TEST(SwitchTag, OfVlan0OnlyThePriorityCounts) {
    Settings settings = office();
    settings.ports[0].tagging.accept = FrameTypes::untagged;
    Rig rig(settings);
    rig.receive(0, {hex("ffffffffffff 020000000100 8100 c000 88b5 010203")}, "x");
    rig.run();
    EXPECT_EQ(rig.departures(2).at(0).octets(),
              hex("ffffffffffff 020000000100 8100 c00a 88b5 010203"));
    EXPECT_EQ(rig.departures(3).at(0).priority, 6);
}

// 802.1ad: a customer's tagged frame crosses a provider with a second tag in front.
TEST(SwitchTag, AProviderCarriesTagsOfItsCustomers) {
    Settings settings = office();
    make_aware(settings, 0, TagType::service);
    Rig rig(settings);
    const Octets of_customer = hex("ffffffffffff 020000000100 8100 a7d0 88b5 010203");
    rig.receive(0, {of_customer}, "x");
    rig.run();
    const Octets carried = hex("ffffffffffff 020000000100 88a8 a00a 8100 a7d0 88b5 010203");
    ASSERT_EQ(rig.departures(3).at(0).octets(), carried);
    rig.receive(3, {carried}, "y");
    rig.run();
    EXPECT_EQ(rig.departures(0).at(0).octets(), of_customer);
    EXPECT_TRUE(rig.at_rest());
}

// Each of the two ports that send another tag gets a copy; the port that sends the original tag
// does not.
TEST(SwitchTag, AFloodedBufferIsNeverWritten) {
    Settings settings = office();
    settings.vlan.members[10] = 0b1111;
    settings.ports[1].tagging.aware = false;
    Rig rig(settings);
    rig.receive(0, {untagged}, "x");
    rig.run();
    EXPECT_EQ(rig.buffer(0).octets, untagged);
    EXPECT_EQ(rig.departures(1).at(0).octets(), untagged);
    EXPECT_EQ(rig.departures(2).at(0).octets(), in_ten);
    EXPECT_EQ(rig.departures(3).at(0).octets(), in_service_ten);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchTag, ACopyThatGetsNoBufferIsCounted) {
    Rig rig(office());
    rig.ports.buffers_left = 0;
    rig.receive(0, {untagged, untagged}, "ab");
    rig.run();
    EXPECT_EQ(rig.sent(2), "");
    EXPECT_EQ(rig.dataplane.counters(2).egress_drops.of(Drop::no_buffer), 2U);
    EXPECT_EQ(rig.sent(3), "ab");  // nobody else holds them any more
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchTag, AQueueIsChargedWhatLeaves) {
    Settings settings = office();
    settings.fdb.static_entries = {{.vlan = 10, .address = station(2), .port = 2}};
    settings.buffer.cell = 1_B;
    Rig rig(test::without_bypass(settings));  // frames that bypass are charged nothing
    rig.receive(0, "a", {.to = station(2), .length = 60});
    EXPECT_EQ(rig.dataplane.pool().used(), 64_B);
    rig.run();
    EXPECT_EQ(rig.dataplane.counters(2).tx_bytes.value(), 64U);
    EXPECT_TRUE(rig.at_rest());
}

// Frames that wait when ports stop being VLAN-aware still leave with their tags.
TEST(SwitchTag, WhatWaitsKeepsItsEdit) {
    Settings settings = office();
    Rig rig(settings);
    rig.receive(0, {untagged}, "x");
    for (PortSettings& port : settings.ports) port.tagging.aware = false;
    rig.adopt(settings);
    EXPECT_TRUE(rig.dataplane.shard(0).edits_tags());
    rig.run();
    EXPECT_EQ(rig.departures(2).at(0).octets(), in_ten);
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

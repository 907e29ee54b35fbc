// What a port that takes no data takes nevertheless, and which probes of the loop guard end here.
#include "dataplane/ingress_pipeline/port_guard.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "dataplane/ingress/loop_probe.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using test::broadcast;
using test::Octets;
using test::octets_of;
using test::Rig;
using test::settings_of;
using test::station;

constexpr uint64_t self = 0x8000'0200'0000'0001;

Octets probe_of(uint64_t sender, PortIndex port) {
    const auto octets = frame_of(LoopProbe{sender, port}, station(100));
    return {octets.begin(), octets.end()};
}
std::size_t mailed(Rig& rig, PortIndex port, ControlProtocol protocol) {
    std::size_t frames = 0;
    Mailbox& box = rig.dataplane.received(port, protocol);
    for (; !box.front().empty(); ++frames) box.pop();
    return frames;
}

// Port 0 takes no data, for one of four reasons.
class RefusedFor : public testing::TestWithParam<Drop> {
  protected:
    RefusedFor() : rig(of(GetParam() != Drop::ingress_down)) {
        if (GetParam() == Drop::lacp_detached) rig.dataplane.set_lacp_detached(only(0), 0);
        if (GetParam() == Drop::loop_shut) rig.dataplane.set_loop_shut(only(0));
        if (GetParam() == Drop::stp_discarding) rig.dataplane.set_spanning_tree(only(0), 0);
    }
    static Settings of(bool enabled) {
        Settings settings = settings_of(3);
        settings.ports[0].lacp = true;
        settings.ports[0].spanning_tree = true;
        settings.ports[0].enabled = enabled;
        return settings;
    }
    Rig rig;
};
INSTANTIATE_TEST_SUITE_P(PortGuard, RefusedFor,
                         testing::Values(Drop::ingress_down, Drop::lacp_detached, Drop::loop_shut,
                                         Drop::stp_discarding),
                         [](const auto& why) { return std::string(name_of(why.param)); });

TEST_P(RefusedFor, DataIsDroppedAndControlTaken) {
    rig.receive(0,
                {octets_of({.to = station(1)}), octets_of({.to = broadcast}),
                 octets_of({.to = lldp_address, .ether_type = lldp_ether_type}),
                 octets_of({.to = slow_protocols_address, .ether_type = slow_protocols_ether_type}),
                 octets_of({.to = bridge_group_address, .ether_type = 39}), Octets(5)});
    rig.receive(2, "a", {.to = station(1), .from = station(2)});
    rig.run();
    EXPECT_EQ(rig.sent(1), "a") << "of another port";
    EXPECT_EQ(rig.drops(0, GetParam()), 2U);
    EXPECT_EQ(rig.drops(2, GetParam()), 0U);
    EXPECT_EQ(rig.drops(0, Drop::runt), 1U) << "what is damaged is that first";
    EXPECT_EQ(mailed(rig, 0, ControlProtocol::lldp), 1U);
    EXPECT_EQ(mailed(rig, 0, ControlProtocol::lacp), 1U);
    EXPECT_EQ(mailed(rig, 0, ControlProtocol::bpdu), 1U);
    EXPECT_TRUE(rig.at_rest());
}

// A probe cannot return by a port that is down: nobody is connected there. A port that the spanning
// tree keeps discarding closes no loop.
TEST_P(RefusedFor, OwnProbesAreTakenOutUnlessThePortIsDownOrDiscards) {
    rig.dataplane.set_loop_probe_source(self);
    rig.receive(0, {probe_of(self, 1), probe_of(self + 1, 1)});
    const bool is_down = GetParam() == Drop::ingress_down || GetParam() == Drop::stp_discarding;
    EXPECT_EQ(mailed(rig, 0, ControlProtocol::loop_probe), is_down ? 0U : 1U);
    EXPECT_EQ(rig.drops(0, Drop::loop_probe), is_down ? 0U : 1U);
    EXPECT_EQ(rig.drops(0, GetParam()), is_down ? 2U : 1U) << "another's is data";
    rig.run();
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_TRUE(rig.at_rest());
}

TEST(PortGuard, APortThatIsAttachedTakesDataAgain) {
    Rig rig(settings_of(2));
    rig.dataplane.set_lacp_detached(only(0), only(0));
    rig.receive(0, "a", {.to = station(1)});
    rig.dataplane.set_lacp_detached(0, 0);
    rig.receive(0, "b", {.to = station(1)});
    rig.run();
    EXPECT_EQ(rig.sent(1), "b");
    EXPECT_TRUE(rig.at_rest());
}

TEST(PortGuard, APortThatIsDownTakesDataAgainOnceItIsUp) {
    Settings settings = settings_of(4, 2);
    Rig rig(settings);
    rig.receive(0, "a", {.to = station(2)});
    rig.run();
    settings.ports[0].enabled = false;
    rig.adopt(settings);
    rig.receive(0, "bb", {.to = station(2)});
    rig.receive(0, "c", {.to = broadcast});
    rig.receive(1, "d", {.to = station(2), .from = station(1)});
    rig.run();
    EXPECT_EQ(rig.sent(2), "ad");
    EXPECT_EQ(rig.drops(0, Drop::ingress_down), 3U);
    EXPECT_EQ(rig.drops(1, Drop::ingress_down), 0U);
    EXPECT_TRUE(rig.at_rest());
    settings.ports[0].enabled = true;
    rig.adopt(settings);
    rig.receive(0, "e", {.to = station(2)});
    rig.run();
    EXPECT_EQ(rig.sent(2), "ade");
    EXPECT_TRUE(rig.at_rest());
}

TEST(PortGuard, OwnProbesAreForControlAndOthersGoOn) {
    Rig rig(settings_of(2));
    rig.receive(0, {probe_of(self, 1)}, "a");
    rig.run();
    EXPECT_EQ(rig.sent(1), "a") << "nobody looks for them";
    rig.dataplane.set_loop_probe_source(self);
    rig.receive(0, {probe_of(self, 1), probe_of(self + 1, 1)}, "bc");
    rig.run();
    EXPECT_EQ(rig.sent(1), "ac");
    EXPECT_EQ(rig.drops(0, Drop::loop_probe), 1U);
    const auto heard = rig.dataplane.received(0, ControlProtocol::loop_probe).front();
    EXPECT_EQ(read_loop_probe(heard), (LoopProbe{self, 1}));
    EXPECT_TRUE(rig.at_rest());
}

// A frame behind a probe is judged by its own source: port 0 is no member of VLAN 7, so the frame
// may enter it as little as without the probe.
TEST(PortGuard, WhatFollowsAProbeIsAskedOfItsSourceItself) {
    for (const bool with_probe : {false, true}) {
        Settings settings = settings_of(3);
        settings.vlan.filtering = true;
        settings.vlan.members[1] = 0b111;
        settings.vlan.members[7] = 0b110;
        settings.ports[0].tagging.aware = true;
        Rig rig(settings);
        rig.dataplane.set_loop_probe_source(self);
        Octets probe = probe_of(self, 1);
        const std::array<uint8_t, 4> tag = {0x81, 0, 0, 7};
        probe.insert(probe.begin() + 12, tag.begin(), tag.end());
        const Octets frame =
            octets_of({.to = station(1), .from = station(100), .tag = test::Tag{.vlan = 7}});
        std::vector<Octets> burst;
        if (with_probe) burst.push_back(probe);
        burst.push_back(frame);
        rig.receive(0, burst);
        rig.run();
        EXPECT_EQ(rig.sent(1), "") << with_probe;
        EXPECT_EQ(rig.drops(0, Drop::vlan_filtered), 1U) << with_probe;
        EXPECT_EQ(rig.drops(0, Drop::loop_probe), with_probe ? 1U : 0U);
    }
}

TEST(PortGuard, AProbeComesBackByAPortThatTakesNoFramesWithoutATag) {
    Settings settings = settings_of(2);
    settings.ports[0].tagging = {.aware = true, .accept = FrameTypes::tagged};
    Rig rig(settings);
    rig.dataplane.set_loop_probe_source(self);
    rig.receive(0, {probe_of(self, 1)});
    EXPECT_EQ(mailed(rig, 0, ControlProtocol::loop_probe), 1U);
    EXPECT_EQ(rig.drops(0, Drop::tag_required), 0U);
}

}  // namespace
}  // namespace sluice

// tests/property/what_if_property.cc checks that the answers match what real frames get.
#include "dataplane/trace/what_if.h"

#include <gtest/gtest.h>

#include "dataplane/ingress/loop_probe.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using test::Octets;
using test::octets_of;
using test::Rig;
using test::station;
using test::Tag;

WhatIf::Answer ask(Rig& rig, PortIndex port, Octets octets,
                   const WhatIf::Discarding& discarding = {}, const WhatIf::Guard& guard = {}) {
    const auto forwarding = rig.dataplane.forwarding_observer(rig.settings);
    WhatIf what_if(rig.settings, *forwarding, first_ports(rig.settings.ports.size()), discarding);
    return what_if(port, octets, rig.now, guard);
}

TEST(WhatIf, LearnsNothingAndCountsNothing) {
    Rig rig(test::settings_of(3));
    const uint64_t known = rig.dataplane.fdb().size();
    const auto answer = ask(rig, 0, octets_of({.to = station(9), .from = station(8)}));
    EXPECT_EQ(answer.frame.outputs, 0b110U);
    EXPECT_FALSE(answer.frame.source.known || answer.frame.destination.known);
    EXPECT_EQ(answer.copy_count, 2U);
    EXPECT_EQ(rig.dataplane.fdb().size(), known);
    EXPECT_EQ(rig.dataplane.counters(0).rx_frames.value(), 0U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(WhatIf, KnowsWhatTheSwitchHasLearned) {
    Rig rig(test::settings_of(3));
    rig.receive(2, {octets_of({.to = station(1), .from = station(9)})});
    rig.run();
    const auto answer =
        ask(rig, 0, octets_of({.to = station(9), .from = station(0), .tag = Tag{.pcp = 5}}));
    EXPECT_EQ(answer.frame.destination.kind, EntryKind::learned);
    EXPECT_EQ(answer.frame.outputs, 0b100U);
    EXPECT_EQ(answer.frame.rule, PrioritySource::pcp);
    EXPECT_EQ(answer.frame.priority, 5);
}

TEST(WhatIf, SaysWhoseStormLimitItCountsAgainst) {
    Settings settings = test::settings_of(2);
    settings.ports[0].storm_control.rate[static_cast<std::size_t>(StormControlKind::broadcast)] =
        1'000'000;
    Rig rig(settings);
    EXPECT_EQ(ask(rig, 0, octets_of({.to = test::broadcast})).storm_control,
              StormControlKind::broadcast);
    EXPECT_FALSE(ask(rig, 0, octets_of({.to = station(9)})).storm_control);
}

TEST(WhatIf, SaysWhereAWatchdogDiscards) {
    Rig rig(test::settings_of(2));
    WhatIf::Discarding discarding{};
    discarding[1].storms = 0b1000;
    const test::FrameSpec spec{.to = station(1), .tag = Tag{.pcp = 3}};
    const auto answer = ask(rig, 0, octets_of(spec), discarding);
    EXPECT_EQ(answer.copies[0].why, Drop::pfc_storm);
    EXPECT_EQ(ask(rig, 0, octets_of(spec)).copies[0].why, Drop::none);
}

// Copies alone, or all.
TEST(WhatIf, SaysWhereADeviceTakesNothing) {
    Rig rig(test::settings_of(4));
    WhatIf::Discarding discarding{};
    discarding[1].copies = true;
    const auto to_one = octets_of({.to = station(1)});
    const auto to_all = octets_of({.to = test::broadcast});
    EXPECT_EQ(ask(rig, 0, to_one, discarding).copies[0].why, Drop::none);
    EXPECT_EQ(ask(rig, 0, to_all, discarding).copies[0].why, Drop::egress_stalled);
    EXPECT_EQ(ask(rig, 0, to_all, discarding).copies[1].why, Drop::none);
    discarding[1].all = true;
    EXPECT_EQ(ask(rig, 0, to_one, discarding).copies[0].why, Drop::egress_stalled);
}

TEST(WhatIf, AFrameThatEndsAtItsPortSaysWhy) {
    Rig rig(test::settings_of(2));
    EXPECT_EQ(ask(rig, 0, test::hex("0200000001")).frame.why, Drop::runt);
    EXPECT_EQ(ask(rig, 0, octets_of({.to = MacAddress{0x0180'C200'0000}})).frame.why,
              Drop::reserved_address);
    EXPECT_EQ(ask(rig, 0, octets_of({.to = station(0)})).frame.why, Drop::same_port);
}

TEST(WhatIf, AProbeThatComesBackIsForControl) {
    Rig rig(test::settings_of(2));
    rig.settings.ports[1].tagging = {.aware = true, .accept = FrameTypes::tagged};
    const auto probe = frame_of(LoopProbe{.sender = 7, .port = 1}, station(0));
    const Octets octets(probe.begin(), probe.end());
    const auto why = [&](PortIndex port, const WhatIf::Guard& guard) {
        return ask(rig, port, octets, {}, guard).frame.why;
    };
    EXPECT_EQ(why(0, {}), Drop::none);
    EXPECT_EQ(why(0, {.probes_of = 8}), Drop::none);
    EXPECT_EQ(why(0, {.probes_of = 7}), Drop::loop_probe);
    EXPECT_EQ(why(0, {.refusal = Drop::loop_shut, .probes_of = 7}), Drop::loop_probe);
    EXPECT_EQ(why(0, {.refusal = Drop::ingress_down, .probes_of = 7}), Drop::ingress_down);
    EXPECT_EQ(why(1, {}), Drop::tag_required);
    EXPECT_EQ(why(1, {.probes_of = 7}), Drop::loop_probe);
}

}  // namespace
}  // namespace sluice

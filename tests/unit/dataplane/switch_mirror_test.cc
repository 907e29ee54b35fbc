// Copies of what some ports take or send, for another.
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "tests/support/both_ways.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::hex;
using test::Octets;
using test::Rig;
using test::station;

class SwitchMirror : public test::BothWays {
  protected:
    // Port 3 gets copies of frames that port 0 receives or sends, by `direction`; stations are
    // where settings_of puts them.
    static Settings watched(MirrorDirection direction, uint8_t workers = 1) {
        Settings settings = settings_of(4, workers);
        settings.mirrors = {{.from = 0b0001, .direction = direction, .to = 3}};
        return settings;
    }
};
INSTANTIATE_TEST_SUITE_P(Ways, SwitchMirror, testing::Bool(), test::way);

TEST_P(SwitchMirror, WhatAPortTakesIsCopied) {
    for (const auto workers : std::to_array<uint8_t>({1, 2, 4})) {
        Rig rig(watched(MirrorDirection::ingress, workers));
        rig.receive(0, "a", {.to = station(1), .from = station(0)});
        rig.receive(1, "b", {.to = station(0), .from = station(1)});
        rig.receive(0, "c", {.to = broadcast, .from = station(0)});
        rig.run();
        EXPECT_EQ(rig.sent(0), "b");
        EXPECT_EQ(rig.sent(1), "ac");
        EXPECT_EQ(rig.sent(2), "c");
        EXPECT_EQ(rig.sent(3), "ac");
        EXPECT_TRUE(rig.at_rest());
    }
}

TEST_P(SwitchMirror, WhatAPortSendsIsCopied) {
    for (const auto workers : std::to_array<uint8_t>({1, 2, 4})) {
        Rig rig(watched(MirrorDirection::egress, workers));
        rig.receive(0, "a", {.to = station(1), .from = station(0)});
        rig.receive(1, "b", {.to = station(0), .from = station(1)});
        rig.receive(2, "c", {.to = broadcast, .from = station(2)});
        rig.run();
        EXPECT_EQ(rig.sent(0).size() + rig.sent(3).size(), 4U);
        EXPECT_EQ(rig.sent(1), "ac");
        EXPECT_EQ(rig.sent(3).find('a'), std::string::npos);
        EXPECT_TRUE(rig.at_rest());
    }
}

TEST_P(SwitchMirror, ItsPortSendsCopiesAloneAndReceivesNothing) {
    Rig rig(watched(MirrorDirection::ingress));
    rig.receive(1, "a", {.to = broadcast, .from = station(1)});
    rig.receive(1, "b", {.to = station(3), .from = station(1)});
    rig.receive(3, "c", {.to = station(1), .from = station(30)});
    rig.run();
    EXPECT_EQ(rig.sent(3), "");
    EXPECT_EQ(rig.drops(1, Drop::no_output), 1U);
    EXPECT_EQ(rig.drops(3, Drop::vlan_filtered), 1U);
    rig.dataplane.fdb().for_each(
        [](const FdbEntry& entry) { EXPECT_NE(entry.address, station(30)); });
}

TEST_P(SwitchMirror, APortThatIsBridgedBesidesIsAPortLikeAnyOther) {
    Settings settings = watched(MirrorDirection::both);
    settings.mirrors[0].bridged = true;
    Rig rig(settings);
    rig.receive(1, "a", {.to = broadcast, .from = station(1)});
    rig.receive(0, "b", {.to = station(3), .from = station(0)});  // there anyway: once
    rig.receive(0, "c", {.to = station(1), .from = station(0)});
    rig.receive(3, "d", {.to = station(0), .from = station(3)});  // its own: no copy
    rig.run();
    EXPECT_EQ(rig.sent(3).size(), 3U);
    EXPECT_EQ(rig.sent(0).size(), 2U);
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchMirror, WhatIsNotTakenIsNotCopied) {
    Settings settings = watched(MirrorDirection::both);
    settings.ports[0].max_frame = 100_B;
    Rig rig(settings);
    rig.receive(0, "a", {.to = station(1), .from = station(0), .length = 101});
    rig.receive(0, "b", {.to = station(0), .from = station(9)});
    rig.receive(0, "c", {.to = station(1), .from = station(2)});
    rig.run();
    EXPECT_EQ(rig.sent(3), "") << "oversize, its own port, and a static source";
    EXPECT_TRUE(rig.at_rest());
}

// A frame that the queue of port 0 refused is not copied as sent.
TEST_P(SwitchMirror, WhatIsRefusedByItsQueueIsNotCopied) {
    Settings settings = watched(MirrorDirection::egress);
    settings.buffer.size = 16_KiB;
    settings.buffer.cell = 1_KiB;
    const auto mirrors = std::exchange(settings.mirrors, {});
    Rig rig(settings);
    const auto enqueued = [&](PortIndex output) {
        return rig.dataplane.ingress(1).voq(output, 0).enqueued();
    };
    rig.receive(1, std::string(40, 'x'), {.to = station(0), .from = station(1)});
    const uint64_t queued = enqueued(0);
    EXPECT_LT(queued, 40U) << "the queue is at its threshold";
    settings.mirrors = mirrors;
    rig.dataplane.shard(0).adopt(settings);
    rig.receive(1, "yz", {.to = station(0), .from = station(1)});
    EXPECT_EQ(enqueued(0), queued);
    EXPECT_EQ(enqueued(3), 0U);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchMirror, WithoutLinkThereIsNoCopy) {
    Rig rig(watched(MirrorDirection::both));
    rig.dataplane.set_link(3, false);
    rig.receive(0, "a", {.to = station(1), .from = station(0)});
    EXPECT_EQ(rig.dataplane.counters(0).copied.value(), 0U);
    rig.run();
    EXPECT_EQ(rig.sent(1), "a");
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchMirror, ACopyLeavesAsTheFrameCame) {
    Settings settings = watched(MirrorDirection::both);
    settings.fdb.static_entries.clear();
    settings.vlan.filtering = true;
    settings.vlan.members[10] = 0b1111;
    settings.vlan.untagged[10] = 0b0001;
    settings.ports[0].default_vlan = 10;
    settings.ports[0].tagging.aware = settings.ports[1].tagging.aware = true;
    Rig rig(settings);
    const Octets untagged = hex("ffffffffffff 020000000100 88b5 010203");
    const Octets in_ten = hex("ffffffffffff 020000000101 8100 000a 88b5 010203");
    rig.receive(0, {untagged}, "a");
    rig.run();
    rig.receive(1, {in_ten}, "b");
    rig.run();
    EXPECT_EQ(rig.departures(1).at(0).octets(),
              hex("ffffffffffff 020000000100 8100 000a 88b5 010203"));
    EXPECT_EQ(rig.departures(0).at(0).octets(), hex("ffffffffffff 020000000101 88b5 010203"));
    ASSERT_EQ(rig.sent(3), "ab");
    EXPECT_EQ(rig.departures(3)[0].octets(), untagged);
    EXPECT_EQ(rig.departures(3)[1].octets(), in_ten);
    EXPECT_TRUE(rig.at_rest());
}

// One output still remarks the frame, with a copy or without.
TEST_P(SwitchMirror, AFrameForOnePortIsStillRemarked) {
    Settings settings = watched(MirrorDirection::ingress);
    settings.ports[1].remark.dscp[0] = 26;
    Rig rig(settings);
    Octets octets = test::octets_of({.to = station(1), .ether_type = 0x0800});
    octets[14] = 0x45;
    rig.receive(0, {octets}, "a");
    rig.run();
    EXPECT_EQ(rig.departures(1).at(0).octets()[15], 26 << 2);
    EXPECT_EQ(rig.sent(3), "a");
}

// The copies' port stands still, everything is lossless, and nobody is paused for it.
TEST_P(SwitchMirror, NobodyIsPausedForACopy) {
    Settings settings = watched(MirrorDirection::both);
    settings.buffer.size = 256_KiB;
    settings.buffer.cell = 256_B;
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = 0xFF;
        port.pfc.xoff = 16_KiB;
        port.pfc.headroom = 1_KiB;
    }
    Rig rig(settings);
    for (int round = 0; round < 100; ++round) {
        rig.receive(0, "aaaaaaaaaa", {.to = station(1), .from = station(0)});
        for (int slot = 0; slot < 20; ++slot) rig.slot();
        rig.transmit(1);
        EXPECT_TRUE(rig.send_pause_frame(0).empty());
    }
    EXPECT_EQ(rig.sent(1).size(), 1000U);
    EXPECT_EQ(rig.sent(3), "");
    EXPECT_GT(rig.drops(0, Drop::over_threshold), 0U) << "copies alone";
    EXPECT_EQ(rig.drops(0, Drop::headroom_overrun), 0U);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(SwitchMirror, CopiesStopWithTheirMirror) {
    Settings settings = watched(MirrorDirection::both);
    Rig rig(settings);
    rig.receive(0, "a", {.to = station(1), .from = station(0)});
    settings.mirrors.clear();
    rig.adopt(settings);
    rig.receive(0, "b", {.to = station(1), .from = station(0)});
    rig.receive(0, "c", {.to = station(3), .from = station(0)});
    rig.run();
    EXPECT_EQ(rig.sent(3), "ac") << "a copy, and what is for it again";
    EXPECT_TRUE(rig.at_rest());
}

// --- with aggregations ---------------------------------------------------------------------------

TEST_P(SwitchMirror, AMemberOfAnAggregationIsLookedAtForItself) {
    Settings settings = watched(MirrorDirection::egress);
    settings.fdb.static_entries = {{.vlan = 1, .address = station(9), .port = 1}};
    settings.aggregations = {{.members = 0b0011, .hash = DistributionHash::l2}};
    Rig rig(settings);
    for (unsigned host = 0; host < 40; ++host) {
        rig.receive(2, "x", {.to = station(9), .from = station(100 + host)});
        rig.run();
    }
    EXPECT_GT(rig.sent(0).size(), 5U);
    EXPECT_GT(rig.sent(1).size(), 5U);
    EXPECT_EQ(rig.sent(3), rig.sent(0));
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

// What happens to a switch while it runs: links, settings, workers, the end.
#include <gtest/gtest.h>

#include <string>

#include "dataplane/switch.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::FrameSpec;
using test::Rig;
using test::settings_of;
using test::station;
using test::without_bypass;

FrameSpec to(unsigned port, uint8_t pcp = 0, unsigned from = 0) {
    return {.to = station(port), .from = station(from), .tag = test::Tag{.vlan = 0, .pcp = pcp}};
}

// --- watermarks ----------------------------------------------------------------------------------

// Two inputs hold three and two frames for port 2, in VOQs; then all but one of the second's leave.
TEST(SwitchWatermarks, BeginAnewWithWhatIsHeldAnInputAPoll) {
    Rig rig(without_bypass(settings_of(4)));
    rig.receive(0, "aaa", to(2));
    rig.receive(1, "bb", to(2, 0, 1));
    const auto most = [&](PortIndex input) {
        return rig.dataplane.ingress(input).voq(2, 0).max_bytes() / 256;
    };
    const auto most_of_group = [&](PortIndex input) {
        return rig.dataplane.ingress(input).group(0).max() / 256;
    };
    rig.run();
    rig.receive(1, "b", to(2, 0, 1));
    EXPECT_EQ(most(0), 3U);
    EXPECT_EQ(most(1), 2U);
    EXPECT_EQ(rig.dataplane.pool().shards()[0].max_used(), 5 * 256U);

    rig.dataplane.clear_watermarks();
    EXPECT_EQ(most(0), 3U) << "its worker does it";
    rig.housekeep();
    EXPECT_EQ(rig.dataplane.pool().shards()[0].max_used(), 256U);
    EXPECT_EQ(most(0), 0U);
    EXPECT_EQ(most_of_group(0), 0U);
    EXPECT_EQ(most(1), 2U) << "the next poll's";
    rig.housekeep();
    EXPECT_EQ(most(1), 1U);
    EXPECT_EQ(most_of_group(1), 1U);
    rig.run();
    EXPECT_EQ(most(1), 1U) << "it had one since";
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchWatermarks, OfAWorkerWithoutPortsAreThoseOfThePoolAlone) {
    Settings settings = settings_of(2, 2);
    settings.ports[1].worker = 0;
    Rig rig(settings);
    rig.receive(0, "a", to(1));
    rig.run();
    rig.dataplane.clear_watermarks();
    for (int poll = 0; poll < 3; ++poll) rig.housekeep();
    EXPECT_EQ(rig.dataplane.pool().shards()[0].max_used(), 0U);
    EXPECT_EQ(rig.dataplane.ingress(0).voq(1, 0).max_bytes(), 0U);
    EXPECT_TRUE(rig.at_rest());
}

// --- links ---------------------------------------------------------------------------------------

TEST(SwitchLinks, StartDown) {
    const Switch dataplane(settings_of(2));
    EXPECT_FALSE(dataplane.link(0));
    EXPECT_FALSE(dataplane.link(1));
}

TEST(SwitchLinks, APortWithoutLinkIsNoOutput) {
    Rig rig(settings_of(4));
    rig.dataplane.set_link(2, false);
    rig.receive(0, "a", to(2));
    EXPECT_EQ(rig.drops(0, Drop::no_output), 1U);
    rig.receive(0, "b", {.to = broadcast});
    rig.run();
    EXPECT_EQ(rig.sent(1), "b");
    EXPECT_EQ(rig.sent(2), "");
    EXPECT_EQ(rig.sent(3), "b");
    EXPECT_TRUE(rig.at_rest());
}

// On both sides of the fabric.
TEST(SwitchLinks, WhatWaitsForALostPortIsFlushedAndCounted) {
    Rig rig(without_bypass(settings_of(4)));
    rig.receive(0, "aaaa", to(2));
    rig.slot();  // these have crossed
    rig.receive(0, "bbb", to(2));
    rig.receive(1, "cc", to(2, 5, 1));
    rig.receive(1, "d", to(3, 0, 1));
    rig.dataplane.set_link(2, false);
    rig.housekeep();
    rig.run();
    EXPECT_EQ(rig.sent(2), "");
    EXPECT_EQ(rig.sent(3), "d");
    EXPECT_EQ(rig.dataplane.counters(2).egress_drops.of(Drop::egress_down), 4U);
    EXPECT_EQ(rig.drops(0, Drop::egress_down), 3U);
    EXPECT_EQ(rig.drops(1, Drop::egress_down), 2U);
    EXPECT_TRUE(rig.at_rest());
}

// The steps of control when a port is removed and another takes its slot.
TEST(SwitchLinks, APlaceIsVacatedAndTakenAgainUnderTraffic) {
    Settings settings = settings_of(4, 2);
    Rig rig(settings);
    for (int turn = 0; turn < 20; ++turn) {
        rig.receive(0, "aa", to(2));
        rig.receive(2, "bb", to(3, 0, 2));
        rig.receive(1, "c", to(3, 0, 1));
        rig.slot();
        rig.receive(0, "d", to(2));
        settings.ports[2].enabled = false;
        rig.adopt(settings);
        rig.dataplane.set_link(2, false);
        rig.receive(1, "e", to(3, 0, 1));
        rig.run();
        EXPECT_TRUE(ledger_of(rig.dataplane).balanced());
        settings.ports[2].enabled = true;
        rig.adopt(settings);
        rig.dataplane.set_link(2, true);
    }
    EXPECT_EQ(rig.sent(2), "");
    EXPECT_EQ(rig.sent(3).size(), 20U * 4) << "what it had taken, and all of the others";
    EXPECT_TRUE(rig.at_rest());
    rig.receive(0, "f", to(2));
    rig.run();
    EXPECT_EQ(rig.sent(2), "f");
}

TEST(SwitchLinks, MoreThanOneTurnCanFreeIsFlushedInSeveral) {
    Rig rig(without_bypass(settings_of(4)));  // all of it from VOQs
    for (int burst = 0; burst < 10; ++burst) rig.receive(0, std::string(64, 'a'), to(2));
    rig.dataplane.set_link(2, false);
    rig.housekeep();
    EXPECT_EQ(rig.drops(0, Drop::egress_down), Released::capacity);
    rig.run();
    EXPECT_EQ(rig.drops(0, Drop::egress_down) +
                  rig.dataplane.counters(2).egress_drops.of(Drop::egress_down),
              640U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLinks, AFloodSurvivesTheLossOfOneOutput) {
    Rig rig(settings_of(4));
    rig.receive(0, "abc", {.to = broadcast});
    rig.dataplane.set_link(3, false);
    rig.run();
    EXPECT_EQ(rig.sent(1), "abc");
    EXPECT_EQ(rig.sent(2), "abc");
    EXPECT_EQ(rig.sent(3), "");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchLinks, APortThatComesBackWorks) {
    Rig rig(settings_of(2));
    for (int flap = 0; flap < 20; ++flap) {
        rig.receive(0, "abc", to(1));
        rig.slot();
        rig.receive(0, "def", to(1));
        rig.dataplane.set_link(1, false);
        rig.run();
        rig.dataplane.set_link(1, true);
        rig.receive(0, "xyz", to(1));
        rig.run();
        EXPECT_EQ(rig.sent_now(1), "xyz") << flap;
        ASSERT_TRUE(rig.at_rest()) << flap;
    }
}

// A paused port loses its link: its frames are dropped in spite of the pause.
TEST(SwitchLinks, ALostPortIsFlushedThoughItIsPaused) {
    Settings settings = settings_of(2);
    settings.ports[1].pfc.lossless = 0xFF;
    Rig rig(settings);
    rig.receive(1, {test::hex("0180c2000001 020000000101 8808 0101 00ff"
                              "ffff ffff ffff ffff ffff ffff ffff ffff")});
    rig.receive(0, std::string(64, 'a'), to(1, 4));
    rig.poll();
    EXPECT_EQ(rig.sent(1), "");
    rig.dataplane.set_link(1, false);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

// --- settings ------------------------------------------------------------------------------------

TEST(SwitchAdopt, HoldsForTheNextFrames) {
    Settings settings = settings_of(2);
    Rig rig(settings);
    rig.receive(0, "a", to(1, 5));
    settings.ports[0].classify.pcp_to_priority[5] = 2;
    settings.ports[0].max_frame = 100_B;
    rig.adopt(settings);
    rig.receive(0, "b", to(1, 5));
    FrameSpec large = to(1, 5);
    large.length = 101;
    rig.receive(0, "c", large);
    rig.run();
    ASSERT_EQ(rig.sent(1), "ab");
    EXPECT_EQ(rig.departures(1)[0].priority, 5);
    EXPECT_EQ(rig.departures(1)[1].priority, 2);
    EXPECT_EQ(rig.drops(0, Drop::oversize), 1U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchAdopt, ASchedulerMayChangeUnderBacklog) {
    Settings settings = settings_of(2);
    Rig rig(settings);
    rig.receive(0, std::string(30, 'a'), to(1, 0));
    rig.receive(0, std::string(30, 'b'), to(1, 7));
    for (int slot = 0; slot < 4; ++slot) rig.slot();
    rig.transmit(1, 4, 4);
    EXPECT_EQ(rig.sent_now(1), "bbbb");
    settings.ports[1].scheduler.discipline.fill(Discipline::wrr);
    rig.adopt(settings);
    rig.transmit(1, 8, 8);
    EXPECT_EQ(rig.sent_now(1), "babababa");
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchAdopt, QuantumReserveAndLosslessMayChangeUnderBacklog) {
    Settings settings = settings_of(4);
    settings.buffer.size = 256_KiB;
    Rig rig(settings);
    for (int change = 0; change < 40; ++change) {
        for (PortIndex input = 0; input < 4; ++input) {
            rig.receive(input, std::string(20, 'a'),
                        {.to = station((input + 1U) % 4U),
                         .from = station(input),
                         .tag = test::Tag{.vlan = 0, .pcp = static_cast<uint8_t>(change % 8)}});
        }
        settings.fabric.quantum = change % 2 == 0 ? 1518_B : 64_KiB;
        settings.fabric.iterations = static_cast<uint8_t>(1 + change % 4);
        settings.fabric.rule = change % 3 == 0 ? CrossbarRule::weighted : CrossbarRule::strict;
        settings.buffer.reserved = change % 5 == 0 ? 512_B : 0_B;
        for (PortSettings& port : settings.ports) {
            port.pfc.lossless = static_cast<PrioritySet>(change * 37);
            port.pfc.headroom = 4_KiB;
        }
        rig.adopt(settings);
        rig.slot();
        rig.transmit(static_cast<PortIndex>(change % 4), 5);
    }
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

// Settings that reserve more headroom leave less to share: waiting frames never exceed the buffer,
// or there would be no buffers to hold them.
TEST(SwitchAdopt, MoreHeadroomLeavesLessToShare) {
    Settings settings = settings_of(2);
    settings.buffer.size = 64_KiB;
    settings.buffer.alpha_128 = 16384;
    Rig rig(settings);
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = 0b0000'1000;
        port.pfc.headroom = 24_KiB;
        port.pfc.xoff = 64_KiB;
        port.pfc.xon = 32_KiB;
    }
    rig.adopt(settings);
    for (int burst = 0; burst < 10; ++burst) {
        rig.receive(0, std::string(64, 'a'), to(1, 0));
        rig.receive(0, std::string(64, 'b'), to(1, 3));
    }
    const Bytes held = rig.dataplane.ingress(0).group(0).occupancy() +
                       rig.dataplane.ingress(0).group(3).occupancy();
    EXPECT_LE(held, 64_KiB - 24_KiB);  // the other port's headroom is still free
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

// --- several workers, called in turn by one thread -----------------------------------------------

TEST(SwitchWorkers, AFrameCrossesBetweenWorkers) {
    Rig rig(settings_of(4, 2));  // ports 0 and 2 are worker 0's, 1 and 3 are worker 1's
    EXPECT_EQ(rig.dataplane.worker_of(3), 1);
    rig.receive(0, "a", to(3));
    rig.receive(1, "b", to(2, 0, 1));
    rig.receive(0, "c", to(2));
    rig.run();
    EXPECT_EQ(rig.sent(3), "a");
    EXPECT_EQ(rig.sent(2).size(), 2U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchWorkers, AFrameInAMailboxIsNotEmpty) {
    Rig rig(settings_of(2, 2));
    rig.receive(0, "a", to(1));
    rig.dataplane.shard(0).match();
    rig.dataplane.shard(0).transfer();
    EXPECT_FALSE(rig.dataplane.empty());
    rig.transmit(1);
    EXPECT_EQ(rig.sent(1), "");
    rig.collect();
    rig.transmit(1);
    EXPECT_EQ(rig.sent(1), "a");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchWorkers, ASlowWorkerHoldsUpOnlyItsOwnPorts) {
    Rig rig(settings_of(4, 2));
    rig.receive(0, "aaa", to(2));
    rig.receive(1, "bbb", to(3, 0, 1));
    for (int slot = 0; slot < 5; ++slot) {
        rig.dataplane.shard(0).match();
        rig.dataplane.shard(0).transfer();  // worker 1 does not come round
        rig.transmit(2);
    }
    EXPECT_EQ(rig.sent(2), "aaa");
    rig.run();
    EXPECT_EQ(rig.sent(3), "bbb");
    EXPECT_TRUE(rig.at_rest());
}

TEST(SwitchWorkers, ALinkMayGoDownWithFramesInTheMailbox) {
    Rig rig(settings_of(2, 2));
    rig.receive(0, "aaa", to(1));
    rig.dataplane.shard(0).match();
    rig.dataplane.shard(0).transfer();
    rig.dataplane.set_link(1, false);
    rig.run();
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.dataplane.counters(1).egress_drops.of(Drop::egress_down), 3U);
    EXPECT_TRUE(rig.at_rest());
}

// --- the end -------------------------------------------------------------------------------------

TEST(SwitchEnd, FlushReleasesWhatIsLeft) {
    Rig rig(settings_of(4));
    for (int burst = 0; burst < 5; ++burst) {
        rig.receive(0, std::string(64, 'a'), to(1, 0));
        rig.receive(2, std::string(64, 'b'), {.to = broadcast, .from = station(2)});
        rig.slot();
    }
    rig.flush();
    EXPECT_TRUE(rig.at_rest());
    const Ledger ledger = ledger_of(rig.dataplane);
    EXPECT_EQ(ledger.sent, 0U);
    EXPECT_EQ(ledger.dropped, 5U * 64 * 4);
    EXPECT_EQ(ledger.waiting, 0U);
}

TEST(SwitchEnd, FlushWithSeveralWorkersLeavesNothingUnderWay) {
    Rig rig(settings_of(4, 2));
    rig.receive(0, "aaaa", to(1));
    rig.receive(1, "bbbb", to(2, 0, 1));
    rig.dataplane.shard(0).match();
    rig.dataplane.shard(0).transfer();  // in a mailbox; worker 1 still holds a grant
    for (int round = 0; round < 3; ++round) {
        rig.dataplane.shard(1).transfer();
        rig.collect();
        rig.flush();
    }
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

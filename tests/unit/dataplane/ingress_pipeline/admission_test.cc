// A frame to one output: who drops it early, and which way it goes if nobody does.
#include "dataplane/ingress_pipeline/admission.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/support/both_ways.h"
#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/traced.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::octets_of;
using test::pause_of;
using test::Rig;
using test::three;
using test::to;
using test::Traced;

constexpr EcnSettings drops_from_16_cells{
    .low = 4095_B, .high = 4096_B, .probability_65536 = 65536, .drop = true};

class Admitted : public test::BothWays {
  protected:
    // Output 1 drops by a curve, of priorities 0 and 3.
    static Settings dropping() {
        Settings settings = settings_of(4);
        settings.ports[1].ecn[0] = settings.ports[1].ecn[3] = drops_from_16_cells;
        settings.fabric.quantum = 1518_B;  // 16 frames of 100 octets
        return settings;
    }
    // The watchdog drops frames of a stormed queue at output 1.
    static Settings watched() {
        Settings settings = lossless_settings(3);
        settings.ports[1].pfc.watchdog.action = WatchdogAction::drop;
        return settings;
    }
};
INSTANTIATE_TEST_SUITE_P(Ways, Admitted, testing::Bool(), test::way);

// --- by WRED ---

TEST_P(Admitted, WhatFindsTheEndOfACurveIsDroppedAndCountedOnce) {
    Rig rig(dropping());
    rig.receive(0, std::string(20, 'x'), to(1, 0));
    EXPECT_EQ(rig.drops(0, Drop::wred), 4U) << "16 cells wait";
    EXPECT_EQ(rig.dataplane.ingress(0).dropped({1, 0}), 4U);
    rig.receive(0, "y", to(2, 0));
    rig.run();
    EXPECT_EQ(rig.sent(1), std::string(16, 'x'));
    EXPECT_EQ(rig.sent(2), "y") << "it has no curve";
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(Admitted, WhatIsLosslessAtBothPortsIsSpared) {
    for (const PortIndex lossy : std::to_array<PortIndex>({0, 1, 2})) {
        Settings settings = lossless_settings(3);
        settings.fabric.quantum = 1518_B;
        settings.ports[1].ecn[3] = drops_from_16_cells;
        settings.ports[lossy].pfc.lossless = 0;
        Rig rig(settings);
        rig.receive(0, std::string(20, 'x'), to(1));
        EXPECT_EQ(rig.drops(0, Drop::wred), lossy == 2 ? 0U : 4U) << "lossy at " << int{lossy};
        rig.run();
        EXPECT_TRUE(rig.at_rest());
    }
}

TEST_P(Admitted, OnTheSlopeSomeAreDropped) {
    Settings settings = dropping();
    settings.ports[1].ecn[0].high = 1_MiB;
    Rig rig(settings);
    for (int burst = 0; burst < 64; ++burst) rig.receive(0, std::string(32, 'x'), to(1, 0));
    EXPECT_GT(rig.drops(0, Drop::wred), 100U);
    EXPECT_LT(rig.drops(0, Drop::wred), 1500U);
    rig.run();
    EXPECT_EQ(rig.departures(1).size() + rig.drops(0, Drop::wred), 64U * 32U);
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(Admitted, AFloodedFrameIsSpared) {
    Rig rig(dropping());
    rig.receive(0, std::string(40, 'x'), {.to = broadcast});
    EXPECT_EQ(rig.drops(0, Drop::wred), 0U) << "whether it takes marks is not known of its buffer";
    rig.run();
    EXPECT_EQ(rig.departures(1).size(), 40U);
    EXPECT_TRUE(rig.at_rest());
}

// --- in a PFC storm ---

// The peer of port 1 pauses its queue until the watchdog detects a storm.
void storm_at_1(Rig& rig) {
    rig.receive(0, "x", to(1));
    for (int turn = 0; turn < 1000 && rig.dataplane.egress(1).discarding() == 0; ++turn) {
        rig.receive(1, {octets_of(pause_of(three, 65535))});
        rig.poll();
        rig.now += 1_ms;
    }
    ASSERT_EQ(rig.dataplane.egress(1).discarding(), three);
    rig.poll();
}

TEST_P(Admitted, InAStormItIsDroppedByNameAndCountedForTheWatchdog) {
    Rig rig(watched());
    storm_at_1(rig);
    const uint64_t before = rig.dataplane.ingress(0).watchdog_drops({1, 3});
    const uint64_t dropped = rig.drops(0, Drop::pfc_storm);
    rig.receive(0, "abc", to(1));
    EXPECT_EQ(rig.drops(0, Drop::pfc_storm) - dropped, 3U);
    EXPECT_EQ(rig.dataplane.ingress(0).watchdog_drops({1, 3}) - before, 3U);
    rig.receive(0, "d", to(1, 0));
    rig.receive(0, "e", to(2));
    rig.run();
    EXPECT_EQ(rig.sent(1), "d") << "of another priority";
    EXPECT_EQ(rig.sent(2), "e") << "at another output";
    EXPECT_EQ(rig.drops(0, Drop::pfc_storm) - dropped, 3U);
    EXPECT_TRUE(rig.at_rest());
}

TEST_P(Admitted, OfAFloodTheCopyForTheStormIsDroppedAlone) {
    Rig rig(watched());
    storm_at_1(rig);
    const uint64_t dropped = rig.drops(0, Drop::pfc_storm);
    rig.receive(0, "a", {.to = broadcast, .tag = test::Tag{.pcp = 3}});
    EXPECT_EQ(rig.drops(0, Drop::pfc_storm) - dropped, 1U);
    rig.run();
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_EQ(rig.sent(2), "a");
    EXPECT_TRUE(rig.at_rest());
}

// --- past the VOQs, or into them ---

// An egress queue is full before the last is admitted, which a trace follows.
TEST(Admission, BypassesWhereThereIsRoomAndTakesAVoqWhereThereIsNone) {
    for (const bool is_traced : {false, true}) {
        Rig rig(test::settings_of(2));
        Traced traced(rig, {.frames = is_traced ? most_traced_frames : 0});
        const Ingress& ingress = rig.dataplane.ingress(0);
        for (std::size_t n = 0; n < EgressQueue::capacity; ++n) rig.receive(0, "x", to(1));
        EXPECT_EQ(ingress.bypassed({1, 3}), EgressQueue::capacity);
        EXPECT_EQ(ingress.voq(1, 3).enqueued(), 0U);
        rig.receive(0, "y", to(1));
        EXPECT_EQ(ingress.bypassed({1, 3}), EgressQueue::capacity);
        EXPECT_EQ(ingress.voq(1, 3).enqueued(), 1U);
        rig.run();
        EXPECT_EQ(rig.sent(1).back(), 'y');
        EXPECT_TRUE(rig.at_rest());
        const auto frames = traced.frames();
        if (!is_traced) continue;
        ASSERT_FALSE(frames.empty());
        EXPECT_EQ(frames.front().copy().way, TraceWay::bypassed);
    }
}

TEST(Admission, WhatItsVoqRefusesIsCountedOnceTracedOrNot) {
    for (const bool is_traced : {false, true}) {
        Settings settings = test::without_bypass(test::settings_of(2));
        settings.buffer.size = 4_KiB;
        settings.buffer.cell = 1_KiB;
        settings.buffer.alpha_128 = 16384;
        Rig rig(settings);
        Traced traced(rig, {.frames = is_traced ? 8U : 0U});
        rig.receive(0, "abcdef", to(1));
        EXPECT_EQ(rig.drops(0, Drop::over_threshold), 2U);
        EXPECT_EQ(rig.dataplane.counters(0).drops.total(), 2U);
        rig.run();
        EXPECT_EQ(rig.sent(1), "abcd");
        EXPECT_TRUE(rig.at_rest());
        const auto frames = traced.frames();
        ASSERT_EQ(frames.size(), is_traced ? 6U : 0U);
        for (std::size_t n = 0; n < frames.size(); ++n) {
            EXPECT_EQ(frames[n].copy().way, n < 4 ? TraceWay::queued : TraceWay::refused) << n;
            EXPECT_EQ(frames[n].copy().why, n < 4 ? Drop::none : Drop::over_threshold) << n;
        }
    }
}

}  // namespace
}  // namespace sluice

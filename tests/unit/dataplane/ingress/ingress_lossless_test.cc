#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "dataplane/ingress/ingress.h"
#include "tests/unit/dataplane/ingress/input.h"

namespace sluice {
namespace {

using namespace literals;
using test::Input;
using test::outputs;

TEST(IngressLossless, FillsToXoffThenTheHeadroomAndThenOverruns) {
    Input input(Input::lossless());
    for (int frame = 0; frame < 9; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    EXPECT_EQ(input.pausing(), 0);
    ASSERT_EQ(input.admit(1, 3), Drop::none);
    EXPECT_EQ(input.pausing(), 0b0000'1000);
    EXPECT_EQ(input.ingress.group(3).headroom(), 0_B);
    EXPECT_EQ(input.admit_all(1, 3, Drop::headroom_overrun), 6);
    EXPECT_EQ(input.ingress.group(3).headroom(), 6_KiB);
    EXPECT_EQ(input.ingress.group(3).occupancy(), 16_KiB);
    EXPECT_EQ(input.ingress.dropped({1, 3}), 1U);
}

// Several queues of one priority are one group: XOFF depends on all frames that the port holds of
// it.
TEST(IngressLossless, XoffCountsAllOutputsTogether) {
    Input input(Input::lossless());
    for (int frame = 0; frame < 3; ++frame) {
        for (PortIndex output = 1; output < outputs; ++output) {
            ASSERT_EQ(input.admit(output, 3), Drop::none);
        }
    }
    EXPECT_EQ(input.pausing(), 0);
    ASSERT_EQ(input.admit(3, 3), Drop::none);
    EXPECT_EQ(input.pausing(), 0b0000'1000);
}

TEST(IngressLossless, ResumesAtXonWithTheHeadroomEmpty) {
    Input input(Input::lossless());
    for (int frame = 0; frame < 12; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    EXPECT_EQ(input.ingress.group(3).headroom(), 2_KiB);
    EXPECT_EQ(input.move(1, 3).size(), 4U);  // a quantum of 4 KiB; the headroom is given back first
    EXPECT_EQ(input.ingress.group(3).headroom(), 0_B);
    EXPECT_EQ(input.ingress.group(3).used(), 8_KiB);
    EXPECT_NE(input.pausing(), 0);
    input.move(1, 3);
    EXPECT_EQ(input.ingress.group(3).used(), 4_KiB);
    EXPECT_EQ(input.pausing(), 0);
}

// The headroom is for frames that come during a pause, not for the last frames: once any have left
// it takes as many again.
TEST(IngressLossless, TheHeadroomIsFreeAgainAsSoonAsAnythingLeaves) {
    Input input(Input::lossless());
    EXPECT_EQ(input.admit_all(1, 3, Drop::headroom_overrun), 16);
    input.move(1, 3);
    EXPECT_EQ(input.admit_all(1, 3, Drop::headroom_overrun), 4);
}

TEST(IngressLossless, BetweenXonAndXoffNothingChanges) {
    Input input(Input::lossless());
    for (int frame = 0; frame < 9; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    input.move(1, 3);
    EXPECT_EQ(input.pausing(), 0);
    for (int frame = 0; frame < 4; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    EXPECT_EQ(input.pausing(), 0);
}

// Lossy traffic has the whole pool: the next lossless frame has a reserved place, and starts a
// pause; later frames use the headroom.
TEST(IngressLossless, AnEmptyPoolPausesAndLosesNothing) {
    Settings settings = Input::lossless();
    settings.buffer.alpha_128 = 16384;
    Input input(settings);
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold), 54);
    ASSERT_EQ(input.admit(2, 3), Drop::none);
    EXPECT_EQ(input.pool.shard(0).free(), 0_B - 1_KiB);
    EXPECT_EQ(input.pausing(), 0b0000'1000);
    EXPECT_EQ(input.admit_all(2, 3, Drop::headroom_overrun), 6);
    EXPECT_EQ(input.ingress.group(3).headroom(), 6_KiB);
    EXPECT_EQ(input.admit(1, 0), Drop::over_threshold);
    input.move(2, 3);
    input.move(2, 3);
    EXPECT_EQ(input.pausing(), 0);
}

// The group's reserve is left when the pool is full, and starts no pause.
TEST(IngressLossless, TheReserveOfAGroupIsItsOwn) {
    Settings settings = Input::lossless();
    settings.ports[0].pfc.reserved = 4_KiB;
    settings.buffer.alpha_128 = 16384;
    Input input(settings);
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold), 50);
    for (int frame = 0; frame < 3; ++frame) ASSERT_EQ(input.admit(2, 3), Drop::none);
    EXPECT_EQ(input.pausing(), 0);
    EXPECT_EQ(input.pool.shard(0).free(), 0_B);
    ASSERT_EQ(input.admit(2, 3), Drop::none);
    EXPECT_EQ(input.pausing(), 0b0000'1000);
    EXPECT_EQ(input.pool.shard(0).free(), 0_B);
}

// With alpha 1/2 a group may hold half of the free pool, so XOFF falls as others fill the pool.
TEST(IngressLossless, XoffFollowsTheFreePool) {
    Settings settings = Input::lossless();
    settings.ports[0].pfc.alpha_128 = 64;
    settings.ports[0].pfc.xoff = 1_MiB;
    Input input(settings);
    int alone = 0;
    for (; input.pausing() == 0; ++alone) ASSERT_EQ(input.admit(1, 3), Drop::none);
    EXPECT_EQ(alone, 18);  // of 54: 36 are free
    input.drain();
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold), 27);
    int beside = 0;
    for (; input.pausing() == 0; ++beside) ASSERT_EQ(input.admit(1, 3), Drop::none);
    EXPECT_EQ(beside, 9);
}

TEST(IngressLossless, XonMayBeAnOffsetBelowXoff) {
    Settings settings = Input::lossless();
    settings.ports[0].pfc.xon = 0_B;
    settings.ports[0].pfc.xon_offset = 2_KiB;
    Input input(settings);
    for (int frame = 0; frame < 10; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    EXPECT_NE(input.pausing(), 0);
    EXPECT_EQ(input.move(1, 3, 2_KiB).size(), 2U);
    EXPECT_EQ(input.pausing(), 0);  // 8 KiB
}

// Frames for a port where the priority is lossy are dropped like other lossy frames, and the peer
// is not paused for them.
TEST(IngressLossless, TowardsALossyOutputNothingPauses) {
    Settings settings = Input::lossless();
    settings.ports[2].pfc.lossless = 0;
    Input input(settings);
    EXPECT_GT(input.admit_all(2, 3, Drop::over_threshold), 20);
    EXPECT_EQ(input.pausing(), 0);
    EXPECT_EQ(input.ingress.group(3).used(), 0_B);
    EXPECT_GT(input.ingress.group(3).occupancy(), 20_KiB);
    input.drain();
    EXPECT_EQ(input.ingress.group(3).occupancy(), 0_B);
}

TEST(IngressLossless, TheDeepestOutputIsTheCauseOfThePause) {
    Input input(Input::lossless());
    for (int frame = 0; frame < 3; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    for (int frame = 0; frame < 7; ++frame) ASSERT_EQ(input.admit(2, 3), Drop::none);
    EXPECT_NE(input.pausing(), 0);
    EXPECT_EQ(input.ingress.pauses_caused({2, 3}), 1U);
    EXPECT_EQ(input.ingress.pauses_caused({1, 3}), 0U);
    EXPECT_EQ(input.ingress.last_cause(3), 2);
    EXPECT_EQ(input.ingress.last_cause(4), max_ports);
}

// Frames that wait for a port where the priority is lossy have nothing to do with the pause.
TEST(IngressLossless, ALossyOutputIsNeverTheCause) {
    Settings settings = Input::lossless();
    settings.ports[0].pfc.lossless |= 0b0000'0001;
    settings.ports[2].pfc.lossless = 0b0000'0001;
    Input input(settings);
    for (int frame = 0; frame < 15; ++frame) ASSERT_EQ(input.admit(2, 3), Drop::none);
    for (int frame = 0; frame < 10; ++frame) ASSERT_EQ(input.admit(3, 3), Drop::none);
    EXPECT_NE(input.pausing(), 0);
    EXPECT_EQ(input.ingress.pauses_caused({3, 3}), 1U);
    EXPECT_EQ(input.ingress.pauses_caused({2, 3}), 0U);
}

// --- by the depth of an output -------------------------------------------------------------------

TEST(IngressWithEgressTrigger, PausesWhileItFeedsACongestedOutput) {
    Settings settings = Input::lossless();
    for (PortSettings& port : settings.ports) port.pfc.trigger = PauseTrigger::egress;
    Input input(settings);
    ASSERT_EQ(input.admit(1, 3), Drop::none);
    const auto congest = [&](PortIndex congested) {
        input.ingress.pause_for(0xF, [&](PortIndex output) {
            return output == congested ? PrioritySet{0b0000'1000} : PrioritySet{0};
        });
    };
    congest(2);
    EXPECT_EQ(input.pausing(), 0);  // it does not feed that one
    congest(1);
    EXPECT_EQ(input.pausing(), 0b0000'1000);
    EXPECT_EQ(input.ingress.pauses_caused({1, 3}), 1U);
    congest(1);
    congest(3);
    EXPECT_EQ(input.pausing(), 0);
}

// An output that no longer decides does not hold anybody.
TEST(IngressWithEgressTrigger, NewSettingsEndThePause) {
    Settings settings = Input::lossless();
    settings.ports[1].pfc.trigger = PauseTrigger::egress;
    Input input(settings);
    ASSERT_EQ(input.admit(1, 3), Drop::none);
    input.ingress.pause_for(only(1), [](PortIndex) { return PrioritySet{0b0000'1000}; });
    EXPECT_NE(input.pausing(), 0);
    input.ingress.configure(Input::lossless());
    EXPECT_EQ(input.pausing(), 0);
}

TEST(IngressWithEgressTrigger, IsNotHeldByItsOwnXoff) {
    Settings settings = Input::lossless();
    for (PortSettings& port : settings.ports) port.pfc.trigger = PauseTrigger::egress;
    Input input(settings);
    for (int frame = 0; frame < 53; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    EXPECT_EQ(input.pausing(), 0);
    ASSERT_EQ(input.admit(1, 3), Drop::none);  // the pool is gone: then it is
    EXPECT_EQ(input.pausing(), 0b0000'1000);
}

// A queue's first frame needs no chunk.
TEST(IngressLossless, MemoryOfQueuesThatRunsOutIsAReasonOfItsOwn) {
    Input input(Input::lossless(), 0);
    EXPECT_EQ(input.admit_all(1, 3, Drop::no_queue_entry), 1);
    EXPECT_EQ(input.admit_all(1, 0, Drop::no_queue_entry), 1);
    EXPECT_EQ(input.ingress.dropped({1, 3}), 1U);
    EXPECT_EQ(input.ingress.group(3).occupancy(), 1_KiB);
    input.drain();
    EXPECT_EQ(input.pool.used(), 0_B);
    EXPECT_EQ(input.ingress.group(3).occupancy(), 0_B);
}

TEST(IngressLossless, EveryAccountIsGivenBack) {
    Input input(Input::lossless());
    input.admit_all(1, 3, Drop::headroom_overrun, 1500_B);
    input.admit_all(2, 0, Drop::over_threshold);
    input.drain();
    EXPECT_EQ(input.pool.used(), 0_B);
    EXPECT_EQ(input.ingress.group(3).occupancy(), 0_B);
    EXPECT_EQ(input.ingress.group(0).occupancy(), 0_B);
    EXPECT_EQ(input.pausing(), 0);
}

TEST(IngressLossless, APriorityThatBecomesLossyResumesItsPeer) {
    Input input(Input::lossless());
    input.admit_all(1, 3, Drop::headroom_overrun);
    EXPECT_NE(input.pausing(), 0);
    input.ingress.configure(Input::ordinary());
    EXPECT_EQ(input.pausing(), 0);
    input.drain();  // frames charged as lossless are released as lossless
    EXPECT_EQ(input.pool.used(), 0_B);
    EXPECT_EQ(input.ingress.group(3).occupancy(), 0_B);
}

}  // namespace
}  // namespace sluice

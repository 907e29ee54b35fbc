#include "dataplane/ingress/ingress.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/unit/dataplane/ingress/input.h"

namespace sluice {
namespace {

using namespace literals;
using test::Input;
using test::outputs;

// --- lossy ---------------------------------------------------------------------------------------

// alpha 1: alone, a queue converges to half of the pool.
TEST(IngressLossy, AQueueHoldsAlphaTimesWhatIsFree) {
    Input input(Input::ordinary());
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold), 32);
    EXPECT_EQ(input.pool.shard(0).free(), 32_KiB);
    EXPECT_EQ(input.ingress.dropped({1, 0}), 1U);
}

// The next queue gets half of the free pool, and the following ones less.
TEST(IngressLossy, EachFurtherQueueFindsLess) {
    Input input(Input::ordinary());
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold), 32);
    EXPECT_EQ(input.admit_all(2, 0, Drop::over_threshold), 16);
    EXPECT_EQ(input.admit_all(2, 5, Drop::over_threshold), 8);
    EXPECT_EQ(input.admit(1, 0), Drop::over_threshold);
}

TEST(IngressLossy, TheReserveIsAlwaysThere) {
    Settings settings = Input::ordinary();
    settings.buffer.size = 64_KiB + 4_KiB * (4 * 4 * 8);
    settings.buffer.reserved = 4_KiB;
    settings.buffer.alpha_128 = 16384;  // greedy: takes the whole pool
    Input input(settings);
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold), 4 + 64);
    EXPECT_EQ(input.pool.shard(0).free(), 0_B);
    EXPECT_EQ(input.admit_all(2, 0, Drop::over_threshold), 4);
    EXPECT_EQ(input.ingress.group(0).occupancy(), 72_KiB);
}

// Static thresholds: whatever of the pool is free.
TEST(IngressLossy, WithAlphaZeroAQueueHasItsReserveAlone) {
    Settings settings = Input::ordinary();
    settings.buffer.size = 64_KiB + 4_KiB * (4 * 4 * 8);
    settings.buffer.reserved = 4_KiB;
    settings.buffer.alpha_128 = 0;
    Input input(settings);
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold), 4);
    EXPECT_EQ(input.admit_all(2, 0, Drop::over_threshold), 4);
    EXPECT_EQ(input.pool.shard(0).free(), 64_KiB);
}

TEST(IngressLossy, ThePoolIsNeverOverdrawnByOneWorker) {
    Settings settings = Input::ordinary();
    settings.buffer.alpha_128 = 16384;
    Input input(settings);
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold, 3_KiB), 21);
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold, 1_KiB), 1);
    EXPECT_EQ(input.pool.shard(0).free(), 0_B);
}

TEST(IngressLossy, FramesAreChargedWholeCells) {
    Input input(Input::ordinary());
    ASSERT_EQ(input.admit(1, 0, 60_B), Drop::none);
    EXPECT_EQ(input.voq(1, 0).bytes(), 1_KiB);
    ASSERT_EQ(input.admit(1, 0, 1025_B), Drop::none);
    EXPECT_EQ(input.voq(1, 0).bytes(), 3_KiB);
    EXPECT_EQ(input.pool.used(), 3_KiB);
}

TEST(IngressLossy, EverythingChargedIsGivenBack) {
    Settings settings = Input::ordinary();
    settings.buffer.size = 64_KiB + 2_KiB * (4 * 4 * 8);
    settings.buffer.reserved = 2_KiB;
    Input input(settings);
    for (PortIndex output = 1; output < outputs; ++output) {
        for (const Priority priority : {Priority{0}, Priority{6}}) {
            input.admit_all(output, priority, Drop::over_threshold, 1500_B);
        }
    }
    EXPECT_GT(input.pool.used(), 0_B);
    input.drain();
    EXPECT_EQ(input.pool.used(), 0_B);
    EXPECT_EQ(input.ingress.group(0).occupancy(), 0_B);
    EXPECT_EQ(input.ingress.group(6).occupancy(), 0_B);
    EXPECT_EQ(input.voq(2, 6).bytes(), 0_B);
}

TEST(IngressLossy, NeverPausesThePeer) {
    Input input(Input::lossless());
    input.admit_all(1, 0, Drop::over_threshold);
    EXPECT_EQ(input.pausing(), 0);
}

// --- towards the fabric --------------------------------------------------------------------------

TEST(Ingress, AsksTheCrossbarWhileAQueueHoldsFrames) {
    Input input(Input::ordinary());
    EXPECT_TRUE(input.crossbar.idle());
    input.admit(2, 5);
    EXPECT_EQ(input.crossbar.match(), 1U);
    ASSERT_EQ(input.crossbar.shard(0).granted(0b1111), only(0));
    const Grant grant = input.crossbar.grant_of(0);
    EXPECT_EQ(grant.output, 2);
    EXPECT_EQ(grant.priority, 5);
    EXPECT_EQ(input.move(2, 5), (std::vector<VlanId>{1}));
    input.crossbar.shard(0).executed(only(0), 1);
    input.crossbar.shard(0).absorbed(only(2));
    EXPECT_TRUE(input.crossbar.idle());
}

TEST(Ingress, MovesAQuantumInOrder) {
    Input input(Input::ordinary());
    for (int frame = 0; frame < 10; ++frame) input.admit(1, 0);
    EXPECT_EQ(input.move(1, 0), (std::vector<VlanId>{1, 2, 3, 4}));
    EXPECT_EQ(input.move(1, 0), (std::vector<VlanId>{5, 6, 7, 8}));
    EXPECT_EQ(input.move(1, 0), (std::vector<VlanId>{9, 10}));
    EXPECT_EQ(input.move(1, 0), (std::vector<VlanId>{}));
}

TEST(Ingress, AFrameLongerThanTheQuantumMovesAlone) {
    Input input(Input::ordinary());
    input.admit(1, 0, 9000_B);
    input.admit(1, 0, 60_B);
    EXPECT_EQ(input.move(1, 0), (std::vector<VlanId>{1}));
    EXPECT_EQ(input.move(1, 0), (std::vector<VlanId>{2}));
}

TEST(Ingress, MovesNoMoreThanATransferHolds) {
    Settings settings = Input::ordinary();
    settings.buffer.cell = 1_B;
    Input input(settings);
    for (int frame = 0; frame < 100; ++frame) ASSERT_EQ(input.admit(1, 0, 60_B), Drop::none);
    EXPECT_EQ(input.move(1, 0, 64_KiB).size(), max_transfer);
    EXPECT_EQ(input.move(1, 0, 64_KiB).size(), 100 - max_transfer);
}

TEST(Ingress, QueuesOfOtherOutputsAndPrioritiesStandApart) {
    Input input(Input::ordinary());
    input.admit(1, 0);
    input.admit(2, 0);
    input.admit(1, 7);
    EXPECT_EQ(input.move(1, 7), (std::vector<VlanId>{3}));
    EXPECT_EQ(input.move(2, 0), (std::vector<VlanId>{2}));
    EXPECT_EQ(input.move(1, 0), (std::vector<VlanId>{1}));
}

// --- flush ---------------------------------------------------------------------------------------

TEST(Ingress, FlushEmptiesTheQueuesOfSomeOutputs) {
    Input input(Input::lossless());
    input.admit_all(1, 3, Drop::headroom_overrun);
    for (int frame = 0; frame < 5; ++frame) input.admit(2, 0);
    std::array<Frame, 128> out;
    EXPECT_EQ(input.ingress.flush(only(1) | only(3), 0xFF, out), 16U);
    EXPECT_EQ(input.pausing(), 0);  // the group is empty again
    EXPECT_EQ(input.ingress.flushed({1, 3}), 16U);
    EXPECT_EQ(input.voq(2, 0).waiting(), 5U);
    EXPECT_EQ(input.pool.used(), 5_KiB);
    EXPECT_EQ(input.ingress.flush(only(1), 0xFF, out), 0U);
}

TEST(Ingress, FlushGoesOnWhereItStopped) {
    Input input(Input::ordinary());
    for (int frame = 0; frame < 30; ++frame) input.admit(1, static_cast<Priority>(frame % 3));
    std::array<Frame, 8> out;
    std::size_t flushed = 0;
    for (int call = 0; call < 4; ++call) flushed += input.ingress.flush(0xF, 0xFF, out);
    EXPECT_EQ(flushed, 30U);
    EXPECT_TRUE(input.crossbar.idle());
    EXPECT_EQ(input.pool.used(), 0_B);
}

TEST(Ingress, FlushLeavesOtherPrioritiesAlone) {
    Input input(Input::ordinary());
    for (int frame = 0; frame < 6; ++frame) input.admit(1, static_cast<Priority>(frame % 3));
    std::array<Frame, 8> out;
    EXPECT_EQ(input.ingress.flush(only(1), 0b0000'0010, out), 2U);
    EXPECT_EQ(input.voq(1, 0).waiting(), 2U);
    EXPECT_EQ(input.voq(1, 1).waiting(), 0U);
}

}  // namespace
}  // namespace sluice

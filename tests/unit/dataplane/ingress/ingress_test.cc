#include "dataplane/ingress/ingress.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace sluice {
namespace {

using namespace literals;

constexpr std::size_t ports = 4;

// An input of four outputs and 64 KiB to share, unless a test says otherwise. Cells are 1 KiB and
// frames fill whole ones, so octets can be counted on fingers.
struct Input {
    static Settings ordinary() {
        Settings settings;
        settings.ports.resize(ports);
        settings.buffer.size = 64_KiB;
        settings.buffer.cell = 1_KiB;
        settings.fabric.quantum = 4_KiB;
        return settings;
    }
    // Priority 3 is lossless: XOFF 10 KiB, XON 4 KiB, headroom 6 KiB. The pool is 54 KiB then: each
    // of the four ports has a place of 1 KiB for the frame that reaches XOFF.
    static Settings lossless() {
        Settings settings = ordinary();
        for (PortSettings& port : settings.ports) {
            port.max_frame = 1_KiB;
            port.pfc.lossless = 0b0000'1000;
            port.pfc.headroom = 0_B;
        }
        PfcSettings& pfc = settings.ports[0].pfc;
        pfc.xoff = 10_KiB;
        pfc.xon = 4_KiB;
        pfc.headroom = 6_KiB;
        return settings;
    }

    explicit Input(const Settings& settings)
        : pool(shared_size(settings), settings.buffer.cell, 1),
          frames(FramePool::chunks_for(1000, ports * max_priorities)),
          crossbar(settings.fabric, ports, 1),
          ingress(0, ports, {0, pool, frames, crossbar}) {
        ingress.configure(settings);
    }
    Drop admit(PortIndex output, Priority priority, Bytes length = 1_KiB) {
        Frame frame{};
        frame.priority = priority;
        frame.length = static_cast<uint16_t>(length.count());
        frame.vlan = ++last;
        return ingress.admit(frame, output);
    }
    // As many as enter before one does not; `why` says why not.
    int admit_all(PortIndex output, Priority priority, Drop expected, Bytes length = 1_KiB) {
        for (int admitted = 0;; ++admitted) {
            const Drop why = admit(output, priority, length);
            if (why == Drop::none) continue;
            EXPECT_EQ(name_of(why), name_of(expected));
            return admitted;
        }
    }
    std::vector<VlanId> move(PortIndex output, Priority priority) {
        std::array<Frame, max_transfer> out;
        const std::size_t moved = ingress.move({output, priority}, out);
        std::vector<VlanId> numbers;
        for (const Frame& frame : std::span(out).first(moved)) numbers.push_back(frame.vlan);
        return numbers;
    }
    void drain() {
        for (PortIndex output = 0; output < ports; ++output) {
            for (Priority priority = 0; priority < max_priorities; ++priority) {
                while (!move(output, priority).empty()) continue;
            }
        }
    }
    [[nodiscard]] const Voq& voq(PortIndex output, Priority priority) const {
        return ingress.voq(output, priority);
    }
    [[nodiscard]] PrioritySet pausing() const { return ingress.xoff().pausing(); }

    SharedPool pool;
    FramePool frames;
    Crossbar crossbar;
    Ingress ingress;
    VlanId last = 0;
};

// --- lossy ---------------------------------------------------------------------------------------

// alpha 1: alone, a queue settles at half of the pool.
TEST(IngressLossy, AQueueHoldsAlphaTimesWhatIsFree) {
    Input input(Input::ordinary());
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold), 32);
    EXPECT_EQ(input.pool.free(0), 32_KiB);
    EXPECT_EQ(input.voq(1, 0).dropped(), 1U);
}

// The next to come finds half of what is left, and the others get no more.
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
    EXPECT_EQ(input.pool.free(0), 0_B);
    EXPECT_EQ(input.admit_all(2, 0, Drop::over_threshold), 4);
    EXPECT_EQ(input.ingress.group(0).occupancy(), 72_KiB);
}

TEST(IngressLossy, ThePoolIsNeverOverdrawnByOneWorker) {
    Settings settings = Input::ordinary();
    settings.buffer.alpha_128 = 16384;
    Input input(settings);
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold, 3_KiB), 21);
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold, 1_KiB), 1);
    EXPECT_EQ(input.pool.free(0), 0_B);
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
    for (PortIndex output = 1; output < ports; ++output) {
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

// --- lossless ------------------------------------------------------------------------------------

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
    EXPECT_EQ(input.voq(1, 3).dropped(), 1U);
}

// Several queues of one priority are one group: its XOFF is about what the port holds.
TEST(IngressLossless, XoffCountsAllOutputsTogether) {
    Input input(Input::lossless());
    for (int frame = 0; frame < 3; ++frame) {
        for (PortIndex output = 1; output < ports; ++output) {
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
    EXPECT_EQ(input.move(1, 3).size(), 4U);  // a quantum of 4 KiB; 8 left, 2 of them in headroom
    EXPECT_NE(input.pausing(), 0);
    input.move(1, 3);  // 4 left: at XON, but the headroom was filled last and leaves last
    EXPECT_EQ(input.ingress.group(3).headroom(), 2_KiB);
    EXPECT_NE(input.pausing(), 0);
    input.move(1, 3);
    EXPECT_EQ(input.ingress.group(3).occupancy(), 0_B);
    EXPECT_EQ(input.pausing(), 0);
}

TEST(IngressLossless, BetweenXonAndXoffNothingChanges) {
    Input input(Input::lossless());
    for (int frame = 0; frame < 9; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    input.move(1, 3);
    EXPECT_EQ(input.pausing(), 0);
    for (int frame = 0; frame < 4; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    EXPECT_EQ(input.pausing(), 0);
}

// Lossy traffic has the pool: the frame that finds it gone has a place set aside, and starts a
// pause; what comes after it stands in the headroom.
TEST(IngressLossless, AnEmptyPoolPausesAndLosesNothing) {
    Settings settings = Input::lossless();
    settings.buffer.alpha_128 = 16384;
    Input input(settings);
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold), 54);
    ASSERT_EQ(input.admit(2, 3), Drop::none);
    EXPECT_EQ(input.pool.free(0), 0_B - 1_KiB);
    EXPECT_EQ(input.pausing(), 0b0000'1000);
    EXPECT_EQ(input.admit_all(2, 3, Drop::headroom_overrun), 6);
    EXPECT_EQ(input.ingress.group(3).headroom(), 6_KiB);
    EXPECT_EQ(input.admit(1, 0), Drop::over_threshold);
    input.move(2, 3);
    input.move(2, 3);
    EXPECT_EQ(input.pausing(), 0);
}

// Its own reserve is there when the pool is not, and starts no pause.
TEST(IngressLossless, TheReserveOfAGroupIsItsOwn) {
    Settings settings = Input::lossless();
    settings.ports[0].pfc.reserved = 4_KiB;
    settings.buffer.alpha_128 = 16384;
    Input input(settings);
    EXPECT_EQ(input.admit_all(1, 0, Drop::over_threshold), 50);
    for (int frame = 0; frame < 3; ++frame) ASSERT_EQ(input.admit(2, 3), Drop::none);
    EXPECT_EQ(input.pausing(), 0);
    EXPECT_EQ(input.pool.free(0), 0_B);
    ASSERT_EQ(input.admit(2, 3), Drop::none);
    EXPECT_EQ(input.pausing(), 0b0000'1000);
    EXPECT_EQ(input.pool.free(0), 0_B);
}

// With alpha 1/2 a group may hold half of what is free, so XOFF comes down as others fill the pool.
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
    settings.fabric.quantum = 1518_B;  // two frames of 1 KiB
    Input input(settings);
    for (int frame = 0; frame < 10; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    EXPECT_NE(input.pausing(), 0);
    EXPECT_EQ(input.move(1, 3).size(), 2U);
    EXPECT_EQ(input.pausing(), 0);  // 8 KiB
}

// What goes to a port where the priority is lossy is dropped there like anything lossy, and the
// peer is not paused for it.
TEST(IngressLossless, TowardsALossyOutputNothingPauses) {
    Settings settings = Input::lossless();
    settings.ports[2].pfc.lossless = 0;
    Input input(settings);
    EXPECT_GT(input.admit_all(2, 3, Drop::over_threshold), 20);
    EXPECT_EQ(input.pausing(), 0);
    EXPECT_EQ(input.ingress.group(3).held(), 0_B);
    EXPECT_GT(input.ingress.group(3).occupancy(), 20_KiB);
    input.drain();
    EXPECT_EQ(input.ingress.group(3).occupancy(), 0_B);
}

TEST(IngressLossless, ThePauseIsBlamedOnTheDeepestOutput) {
    Input input(Input::lossless());
    for (int frame = 0; frame < 3; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    for (int frame = 0; frame < 7; ++frame) ASSERT_EQ(input.admit(2, 3), Drop::none);
    EXPECT_NE(input.pausing(), 0);
    EXPECT_EQ(input.ingress.blamed({2, 3}), 1U);
    EXPECT_EQ(input.ingress.blamed({1, 3}), 0U);
}

// --- by the depth of an output -------------------------------------------------------------------

TEST(IngressPressed, PausesWhileItFeedsACongestedOutput) {
    Settings settings = Input::lossless();
    for (PortSettings& port : settings.ports) port.pfc.trigger = PauseTrigger::egress;
    Input input(settings);
    ASSERT_EQ(input.admit(1, 3), Drop::none);
    const auto press = [&](PortIndex congested) {
        input.ingress.press(0xF, [&](PortIndex output) {
            return output == congested ? PrioritySet{0b0000'1000} : PrioritySet{0};
        });
    };
    press(2);
    EXPECT_EQ(input.pausing(), 0);  // it does not feed that one
    press(1);
    EXPECT_EQ(input.pausing(), 0b0000'1000);
    press(1);
    press(3);
    EXPECT_EQ(input.pausing(), 0);
}

// An output that no longer decides does not hold anybody.
TEST(IngressPressed, NewSettingsLetGo) {
    Settings settings = Input::lossless();
    settings.ports[1].pfc.trigger = PauseTrigger::egress;
    Input input(settings);
    ASSERT_EQ(input.admit(1, 3), Drop::none);
    input.ingress.press(only(1), [](PortIndex) { return PrioritySet{0b0000'1000}; });
    EXPECT_NE(input.pausing(), 0);
    input.ingress.configure(Input::lossless());
    EXPECT_EQ(input.pausing(), 0);
}

TEST(IngressPressed, IsNotHeldByItsOwnXoff) {
    Settings settings = Input::lossless();
    for (PortSettings& port : settings.ports) port.pfc.trigger = PauseTrigger::egress;
    Input input(settings);
    for (int frame = 0; frame < 53; ++frame) ASSERT_EQ(input.admit(1, 3), Drop::none);
    EXPECT_EQ(input.pausing(), 0);
    ASSERT_EQ(input.admit(1, 3), Drop::none);  // the pool is gone: then it is
    EXPECT_EQ(input.pausing(), 0b0000'1000);
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
    input.drain();  // what was charged as lossless is given back as that
    EXPECT_EQ(input.pool.used(), 0_B);
    EXPECT_EQ(input.ingress.group(3).occupancy(), 0_B);
}

// --- towards the fabric --------------------------------------------------------------------------

TEST(Ingress, AsksTheCrossbarWhileAQueueHoldsFrames) {
    Input input(Input::ordinary());
    EXPECT_TRUE(input.crossbar.idle());
    input.admit(2, 5);
    EXPECT_EQ(input.crossbar.match(), 1U);
    const auto grant = input.crossbar.grant_of(0);
    ASSERT_TRUE(grant);
    EXPECT_EQ(grant->output, 2);
    EXPECT_EQ(grant->priority, 5);
    EXPECT_EQ(input.move(2, 5), (std::vector<VlanId>{1}));
    input.crossbar.executed(0, 1);
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
    settings.fabric.quantum = 64_KiB;
    Input input(settings);
    for (int frame = 0; frame < 100; ++frame) ASSERT_EQ(input.admit(1, 0, 60_B), Drop::none);
    EXPECT_EQ(input.move(1, 0).size(), max_transfer);
    EXPECT_EQ(input.move(1, 0).size(), 100 - max_transfer);
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
    EXPECT_EQ(input.voq(1, 3).flushed(), 16U);
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

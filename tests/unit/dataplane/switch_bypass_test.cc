// Frames that take no VOQ: when, where to, and what others see of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "dataplane/bypass.h"
#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::Rig;
using test::settings_of;
using test::to;

uint64_t bypassed(const Rig& rig, PortIndex output) {
    uint64_t frames = 0;
    for (PortIndex input = 0; input < rig.dataplane.input_count(); ++input) {
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            frames += rig.dataplane.ingress(input).bypassed({output, priority});
        }
    }
    return frames;
}
uint64_t queued(const Rig& rig, PortIndex input, PortIndex output, Priority priority = 3) {
    return rig.dataplane.ingress(input).voq(output, priority).enqueued();
}

// Half as many short frames as an egress queue holds.
const std::string half(EgressQueue::capacity / 2, 'a');
void fill(Rig& rig, PortIndex input, PortIndex output, Priority priority = 3) {
    for (int burst = 0; burst < 2; ++burst) rig.receive(input, half, to(output, priority, input));
    EXPECT_EQ(bypassed(rig, output), EgressQueue::capacity);
}

TEST(Bypass, AFrameWhoseOutputNobodyWaitsForLeavesWithoutASlot) {
    Rig rig(settings_of(2));
    rig.receive(0, "abc", to(1));
    EXPECT_EQ(bypassed(rig, 1), 3U);
    EXPECT_EQ(queued(rig, 0, 1), 0U);
    rig.transmit(1);
    EXPECT_EQ(rig.sent(1), "abc");
    EXPECT_TRUE(rig.at_rest());
}

TEST(Bypass, SwitchedOffEveryFrameTakesItsVoq) {
    Rig rig(test::without_bypass(settings_of(2)));
    rig.receive(0, "abc", to(1));
    EXPECT_EQ(bypassed(rig, 1), 0U);
    EXPECT_EQ(queued(rig, 0, 1), 3U);
}

TEST(Bypass, WhatFindsNoRoomWaitsAndWhatComesAfterItStandsBehind) {
    Rig rig(settings_of(3));
    fill(rig, 0, 2);
    rig.receive(0, "b", to(2));
    EXPECT_EQ(queued(rig, 0, 2), 1U);
    EXPECT_EQ(rig.slot(), 0U);  // the egress queue is full
    rig.transmit(2);            // there is room again
    rig.receive(0, "c", to(2));
    rig.receive(1, "d", to(2, 3, 1));
    EXPECT_EQ(queued(rig, 0, 2), 2U);
    EXPECT_EQ(queued(rig, 1, 2), 1U);
    rig.run();
    EXPECT_EQ(rig.sent(2), half + half + "bcd");
    rig.receive(1, "e", to(2, 3, 1));
    EXPECT_EQ(bypassed(rig, 2), EgressQueue::capacity + 1);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

// Otherwise a lower priority could fill the egress while a higher one waits in its VOQ.
TEST(Bypass, AFrameOfAnyPriorityThatWaitsClosesTheOutputToAll) {
    Rig rig(settings_of(2));
    fill(rig, 0, 1);
    rig.receive(0, "b", to(1, 3));
    ASSERT_EQ(queued(rig, 0, 1, 3), 1U);
    rig.receive(0, "c", to(1, 5));
    EXPECT_EQ(queued(rig, 0, 1, 5), 1U);
}

TEST(Bypass, WithinABurstToo) {
    Rig rig(settings_of(2));
    fill(rig, 0, 1);
    rig.receive(0, {test::octets_of(to(1, 3)), test::octets_of(to(1, 5))});
    EXPECT_EQ(queued(rig, 0, 1, 3), 1U);
    EXPECT_EQ(queued(rig, 0, 1, 5), 1U);
}

// --- to outputs of other workers; with two, ports 0 and 2 are the first one's -------------------

TEST(Bypass, AnOutputOfAnotherWorkerIsReachedWithoutASlot) {
    Rig rig(settings_of(2, 2));
    rig.receive(0, "a", to(1));
    EXPECT_EQ(bypassed(rig, 1), 1U);
    EXPECT_EQ(queued(rig, 0, 1), 0U);
    EXPECT_FALSE(rig.dataplane.empty());
    rig.collect();
    rig.transmit(1);
    EXPECT_EQ(rig.sent(1), "a");
    EXPECT_TRUE(rig.at_rest());
}

TEST(Bypass, WhatItsWorkerDoesNotCollectTakesVoqsInTheEnd) {
    Rig rig(settings_of(4, 2));
    for (int burst = 0; burst < 2; ++burst) rig.receive(1, half, to(2, 3, 1));
    EXPECT_EQ(bypassed(rig, 2), max_transfer);
    EXPECT_EQ(queued(rig, 1, 2), 2 * half.size() - max_transfer);
    rig.run();
    EXPECT_EQ(rig.sent(2).size(), 2 * half.size());
    rig.receive(1, "a", to(2, 3, 1));
    EXPECT_EQ(bypassed(rig, 2), max_transfer + 1);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

// Two of a grant would be overtaken otherwise: it is carried out, and not collected.
TEST(Bypass, AGrantUnderWayClosesTheOutputToWhoseItIs) {
    Rig rig(settings_of(4, 2));
    rig.receive(1, half, to(2, 3, 1));
    rig.receive(1, "ab", to(2, 3, 1));
    ASSERT_EQ(rig.dataplane.shard(0).match(), 1U);
    rig.dataplane.shard(1).transfer();
    rig.receive(1, "c", to(2, 3, 1));
    EXPECT_EQ(bypassed(rig, 2), half.size());
    EXPECT_EQ(queued(rig, 1, 2), 3U);
    rig.run();
    EXPECT_EQ(rig.sent(2), half + "abc");
    rig.receive(1, "d", to(2, 3, 1));
    EXPECT_EQ(bypassed(rig, 2), half.size() + 1);
}

// Frames so short that octets limit nothing; the first port of each other worker sends to the last
// output of worker 0, whose own ports do, too.
class UnderWay : public testing::TestWithParam<uint8_t> {
  protected:
    UnderWay() : workers_(GetParam()), rig_(short_frames(workers_)), output_(workers_) {
        spec_.length = 20;
    }
    static Settings short_frames(uint8_t workers) {
        Settings settings = settings_of(2U * workers, workers);
        settings.fabric.quantum = 64_KiB;
        return settings;
    }
    void everybody_sends() {
        for (PortIndex port = 0; port < workers_; ++port) {
            spec_.from = test::station(port);
            rig_.receive(port, half, spec_);
        }
    }

    const uint8_t workers_;
    Rig rig_;
    const PortIndex output_;
    test::FrameSpec spec_ = to(output_);
};

TEST_P(UnderWay, FitsIntoTheEgressQueue) {
    const EgressQueue& queue = rig_.dataplane.egress(output_).queue(3);
    std::size_t most = 0;
    for (int round = 0; round < 50; ++round) {
        everybody_sends();
        rig_.slot();
        most = std::max(most, queue.size());
        // Frames that a device refuses return to their places, and use no more room.
        if (round % 2 == 0) rig_.transmit(output_, 8, 32);
        most = std::max(most, queue.size());
    }
    EXPECT_LE(most, EgressQueue::most_frames(workers_));
    EXPECT_GT(most, EgressQueue::capacity);
    rig_.run();
    EXPECT_TRUE(rig_.at_rest());
}

INSTANTIATE_TEST_SUITE_P(Workers, UnderWay, testing::Values(2, 3, 5, 9));

// --- what others keep ----------------------------------------------------------------------------

TEST(Bypass, WhatIsHandedOverTakesNoRoomFromAGrant) {
    Rig rig(settings_of(4, 2));
    rig.receive(1, half, to(2, 3, 1));
    rig.collect();
    EXPECT_EQ(rig.dataplane.egress(2).waiting(), half.size());
    EXPECT_NE(rig.dataplane.egress(2).room() & only_priority(3), 0);
    EXPECT_EQ(rig.dataplane.egress(2).room_for_handoff() & only_priority(3), only_priority(3));
    rig.receive(1, "a", to(2, 3, 1));
    rig.collect();
    EXPECT_EQ(rig.dataplane.egress(2).room_for_handoff() & only_priority(3), 0);
    EXPECT_NE(rig.dataplane.egress(2).room() & only_priority(3), 0);
}

// Port 0 is of another worker than 1, 3 and 5, which share the rest of a grant to one of them. Two
// inputs that always have more get equal shares, and those that have little are served whole.
TEST(Bypass, WhatAGrantLeavesServesThoseThatHaveLittle) {
    Rig rig(test::without_bypass(settings_of(6, 2)));
    const std::string burst(32, 'a');
    for (int round = 0; round < 400; ++round) {
        for (const PortIndex heavy : std::to_array<PortIndex>({0, 1})) {
            const Voq& voq = rig.dataplane.ingress(heavy).voq(4, 3);
            if (voq.waiting() < 4 * max_transfer) rig.receive(heavy, burst, to(4, 3, heavy));
        }
        for (const PortIndex light : std::to_array<PortIndex>({3, 5}))
            rig.receive(light, "b", to(4, 3, light));
        rig.slot();
        rig.transmit(4, max_burst, 32);
    }
    const auto left = [&](PortIndex input) {
        return static_cast<double>(rig.dataplane.ingress(input).voq(4, 3).left());
    };
    EXPECT_NEAR(left(0) / left(1), 1.0, 0.1);
    EXPECT_GT(left(3), 350.0);
    EXPECT_GT(left(5), 350.0);
}

TEST(Bypass, LeavesRoomThatOthersWaitForAGrantOf) {
    Rig rig(settings_of(4, 2));
    test::FrameSpec spec = to(2);
    spec.length = 64;  // as many as a transfer has make a quantum
    rig.receive(0, half, spec);
    EXPECT_NE(rig.dataplane.egress(2).room() & only_priority(3), 0);
    EXPECT_EQ(bypassed(rig, 2), half.size() - 1);
}

TEST(Bypass, APausedPriorityHoldsUpNoOtherOfAnotherWorker) {
    Rig rig(settings_of(4, 2));
    rig.dataplane.shard_of(PortIndex{2}).block(2, only_priority(3));
    rig.receive(1, half, to(2, 3, 1));
    rig.receive(1, "a", to(2, 0, 1));
    for (int poll = 0; poll < 3; ++poll) rig.poll();
    EXPECT_EQ(rig.sent(2), "a");
}

TEST(Bypass, WhatWasHandedOverAtTheEndIsFreed) {
    Rig rig(settings_of(4, 2));
    rig.receive(1, "abc", to(2, 3, 1));
    rig.flush();
    EXPECT_EQ(rig.dataplane.counters(2).egress_drops.of(Drop::shutdown), 3U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(Bypass, AShortBufferClosesIt) {
    Settings settings = settings_of(2);
    settings.buffer.size = 1_KiB;
    settings.buffer.cell = 256_B;
    Rig rig(settings);
    rig.receive(0, "abcd", to(1));
    EXPECT_EQ(bypassed(rig, 1), 0U);
    EXPECT_GT(rig.drops(0, Drop::over_threshold), 0U);
}

TEST(Bypass, ABurstThatReachesXoffPausesItsPeerAsEver) {
    for (const bool bypass : {false, true}) {
        Settings settings = test::lossless_settings();
        settings.fabric.bypass = bypass;
        Rig rig(settings);
        rig.receive(0, std::string(32, 'a'), to(1));
        EXPECT_FALSE(rig.send_pause_frame(0).empty()) << bypass;
    }
}

TEST(Bypass, ACurveThatBeginsBelowFourQuantaClosesIt) {
    Settings settings = settings_of(3);
    const Bytes least = settings.fabric.quantum * 4;
    settings.ports[1].ecn[0] = {.low = least, .high = 1_MiB, .probability_65536 = 65536};
    settings.ports[2].ecn[0] = {.low = least + 1_B, .high = 1_MiB, .probability_65536 = 65536};
    Rig rig(settings);
    rig.receive(0, "a", to(1));
    rig.receive(0, "b", to(2));
    EXPECT_EQ(bypassed(rig, 1), 0U);
    EXPECT_EQ(bypassed(rig, 2), 1U);
}

// Counted in cells, of which short frames take many more octets than they have.
TEST(Bypass, WhatGoesPastACurveIsChargedLessThanItBeginsAt) {
    Settings settings = settings_of(2);
    settings.ports[1].ecn[3] = {.low = 20_KiB, .high = 1_MiB, .probability_65536 = 65536};
    Rig rig(settings);
    rig.receive(0, half, to(1));
    rig.receive(0, half, to(1));
    EXPECT_EQ(bypassed(rig, 1), 20U * 1024 / (60 + 255));
    EXPECT_EQ(queued(rig, 0, 1), 2 * half.size() - bypassed(rig, 1));
    rig.run();
    rig.receive(0, "a", to(1));
    EXPECT_EQ(bypassed(rig, 1), 20U * 1024 / (60 + 255) + 1);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

// It would be known too late which input feeds the output.
TEST(Bypass, ALowLevelAtWhichAnOutputPausesItsFeedersClosesIt) {
    Settings settings = test::lossless_settings(4);
    const Bytes most = most_charged_past_voqs(settings);
    settings.buffer.size = 1_MiB;
    for (PortIndex port = 1; port < 4; ++port) {
        settings.ports[port].pfc.trigger = PauseTrigger::egress;
        settings.ports[port].pfc.xoff = most + 1_B;
    }
    settings.ports[1].pfc.xoff = most;
    settings.ports[3].pfc.alpha_128 = 128;
    Rig rig(settings);
    for (PortIndex port = 1; port < 4; ++port) rig.receive(0, "a", to(port));
    EXPECT_EQ(bypassed(rig, 1), 0U);
    EXPECT_EQ(bypassed(rig, 2), 1U);
    EXPECT_EQ(bypassed(rig, 3), 0U) << "by alpha any level may be low";
}

TEST(Bypass, AnOutputWithoutLinkIsClosed) {
    Rig rig(settings_of(3));
    rig.dataplane.set_link(1, false);
    rig.receive(0, "a", {.to = test::broadcast});
    EXPECT_EQ(bypassed(rig, 1), 0U);
    EXPECT_EQ(bypassed(rig, 2), 1U);
}

TEST(Bypass, EachCopyOfAFloodedFrameGoesItsOwnWay) {
    Rig rig(settings_of(3));
    fill(rig, 1, 2);
    rig.receive(1, "b", to(2, 3, 1));
    rig.receive(0, "c", {.to = test::broadcast});
    EXPECT_EQ(bypassed(rig, 1), 1U);
    EXPECT_EQ(queued(rig, 0, 2, 0), 1U);
    rig.run();
    EXPECT_TRUE(rig.at_rest());
}

TEST(Bypass, WhatComesForAPausedOutputPausesItsPeerOnceTheEgressIsFull) {
    Rig rig(test::lossless_settings());
    rig.receive(1, {test::octets_of(test::pause_of(test::three, 65535))});
    for (std::size_t frame = 0; frame < EgressQueue::capacity; ++frame) {
        rig.receive(0, "a", to(1));
        rig.poll();
    }
    EXPECT_TRUE(rig.send_pause_frame(0).empty());
    EXPECT_EQ(queued(rig, 0, 1), 0U);
    for (int frame = 0; frame < 32; ++frame) rig.receive(0, "b", to(1));
    rig.poll();
    EXPECT_EQ(rig.sent(1), "");
    EXPECT_FALSE(rig.send_pause_frame(0).empty());
}

// An arrival at a VOQ that is empty would be matched for nothing.
TEST(Bypass, SerenaGetsArrivalsOfWhatIsQueuedAlone) {
    Settings settings = settings_of(3);
    settings.fabric.algorithm = MatchingAlgorithm::serena;
    Rig rig(settings);
    rig.receive(0, "a", to(1));
    EXPECT_EQ(rig.slot(), 0U);
    rig.transmit(1);
    fill(rig, 0, 2);
    rig.receive(0, "b", to(2));
    rig.run();
    EXPECT_EQ(rig.sent(2).size(), EgressQueue::capacity + 1);
    EXPECT_TRUE(rig.at_rest());
}

}  // namespace
}  // namespace sluice

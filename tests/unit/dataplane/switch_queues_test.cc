// PFC by back-pressure: a switch whose ports have a queue for each priority, both ways, and peers
// that stop at a full one; ports with one ring for all; and peers that stop at nothing.
#include <gtest/gtest.h>

#include <vector>

#include "dataplane/ledger.h"
#include "dataplane/pfc/queue_backpressure.h"
#include "tests/support/lossless.h"
#include "tests/support/pauses.h"
#include "tests/support/queue_wires.h"

namespace sluice {
namespace {

using namespace literals;
using test::QueueWires;

constexpr std::size_t capacity = 32;  // of a queue; XOFF is at as many frames
constexpr std::size_t burst = 16;
constexpr Bytes a_burst{burst * 256};

// Priority 3 is lossless: XOFF at 32 frames, XON at 16, headroom for two bursts of shortest frames.
Settings queue_settings(std::size_t ports) {
    Settings settings = test::lossless_settings(ports);
    for (PortSettings& port : settings.ports) {
        port.max_frame = 60_B;
        port.pfc.by = PfcBy::queues;
        port.pfc.headroom = a_burst + a_burst;
    }
    return settings;
}

class Queues {
  public:
    explicit Queues(std::size_t ports) : Queues(queue_settings(ports)) {}
    explicit Queues(const Settings& settings)
        : wires(settings.ports.size(), capacity),
          dataplane(settings),
          poll_(dataplane, dataplane.shard(0), wires, burst) {
        for (PortIndex port = 0; port < settings.ports.size(); ++port) {
            dataplane.set_link(port, true);
        }
    }

    void poll(int times = 1) {
        for (; times > 0; --times) {
            now += 1_us;
            poll_(now, 8);
        }
    }
    // Sends as many frames as the queue takes, up to `most`, numbered from `next` on.
    std::size_t fill(PortIndex from, Priority priority, PortIndex to, std::size_t most = 1000) {
        return fill(from, priority, priority, to, most);
    }
    std::size_t fill(PortIndex from, Priority queue, Priority priority, PortIndex to,
                     std::size_t most) {
        std::size_t put = 0;
        while (put < most && wires.put(from, queue, test::to(to, priority, from), next)) {
            ++next;
            ++put;
        }
        return put;
    }
    std::size_t drain(PortIndex port, Priority priority, std::size_t most = SIZE_MAX) {
        return wires.take(port, priority, most).size();
    }
    void stop_receiving() {
        poll_.stop_receiving();
        dataplane.shard(0).release_peers();
    }
    [[nodiscard]] const PauseSender& xoff(PortIndex port) const {
        return dataplane.ingress(port).pause_sender();
    }
    [[nodiscard]] const QueueBackpressure& gate(PortIndex port) const {
        return dataplane.egress(port).queue_backpressure();
    }
    [[nodiscard]] const Watchdog& watchdog(PortIndex port) const {
        return dataplane.egress(port).watchdog();
    }
    [[nodiscard]] uint64_t drops(Drop why) const {
        uint64_t sum = 0;
        for (PortIndex port = 0; port < dataplane.port_count(); ++port) {
            sum += dataplane.counters(port).drops.of(why);
            sum += dataplane.counters(port).egress_drops.of(why);
        }
        return sum;
    }

    QueueWires wires;
    Switch dataplane;
    Nanos now = 1_s;
    uint32_t next = 0;

  private:
    Poll<QueueWires> poll_;
};

TEST(SwitchQueues, InPlaceOfAnXoffAQueueIsLeftAlone) {
    Queues at(2);
    for (int round = 0; round < 20; ++round) {
        at.fill(0, 3, 1);
        at.poll();
    }
    EXPECT_EQ(at.wires.waiting_out(1, 3), capacity) << "the peer of the output takes nothing";
    EXPECT_EQ(at.wires.waiting_in(0, 3), capacity) << "so the other peer has to stop";
    EXPECT_TRUE(at.xoff(0).pausing(3));
    EXPECT_EQ(at.xoff(0).stops(3), 1U);
    EXPECT_TRUE(at.xoff(0).history(3).lasts(at.now));
    EXPECT_LE(at.dataplane.ingress(0).group(3).headroom_max(), uint64_t{a_burst.count()});

    std::size_t arrived = 0;
    for (int round = 0; round < 100; ++round) {
        arrived += at.drain(1, 3);
        at.poll();
    }
    EXPECT_EQ(arrived, at.next);
    EXPECT_FALSE(at.xoff(0).pausing(3));
    EXPECT_FALSE(at.xoff(0).history(3).lasts(at.now));
    EXPECT_EQ(at.wires.pauses_sent, 0U);
    EXPECT_EQ(at.xoff(0).xoff_sent(3) + at.xoff(0).xon_sent(3), 0U);
    EXPECT_EQ(at.wires.freed, 0U);
    EXPECT_TRUE(ledger_of(at.dataplane).balanced());
}

TEST(SwitchQueues, OtherPrioritiesOfAStoppedPortGoOn) {
    Queues at(3);
    for (int round = 0; round < 20; ++round) {
        at.fill(0, 3, 1);
        at.poll();
    }
    ASSERT_TRUE(at.xoff(0).pausing(3));
    for (int round = 0; round < 50; ++round) {
        ASSERT_EQ(at.fill(0, 0, 1, 8), 8U) << "to the same output";
        ASSERT_EQ(at.fill(0, 5, 2, 8), 8U) << "and to another";
        at.poll();
        EXPECT_EQ(at.drain(1, 0), 8U);
        EXPECT_EQ(at.drain(2, 5), 8U);
    }
}

// If all priorities used one queue, a full one would hold the whole port.
TEST(SwitchQueues, AFullQueueHoldsItsOwnPriorityAndIsTriedOnceAPoll) {
    Queues at(2);
    at.fill(0, 3, 1);
    at.poll(4);
    at.fill(0, 3, 1);
    at.poll(4);
    ASSERT_EQ(at.gate(1).refused(), test::three);
    EXPECT_TRUE(at.gate(1).history(3).lasts(at.now));
    at.wires.refusals.clear();
    at.fill(0, 6, 1, 10);
    at.poll();
    EXPECT_EQ(at.drain(1, 6), 10U);
    EXPECT_EQ(at.wires.refusals[1], 1);
    at.poll(9);
    EXPECT_EQ(at.wires.refusals[1], 10);

    at.drain(1, 3, 1);
    at.poll();
    EXPECT_EQ(at.gate(1).refused(), test::three) << "there was room for one";
    EXPECT_EQ(at.gate(1).refusals(3), 2U);
}

// The time that is shown is right to one poll: it lasts from the poll that was refused to the one
// that was not.
TEST(SwitchQueues, HowLongAQueueWasFullIsCountedFromPollToPoll) {
    Queues at(2);
    at.fill(0, 3, 1);
    at.poll(4);
    at.fill(0, 3, 1);
    at.poll();
    ASSERT_EQ(at.gate(1).refused(), test::three);
    const Nanos since = at.now;
    at.poll(9);
    at.drain(1, 3);
    at.poll();
    ASSERT_EQ(at.gate(1).refused(), 0);
    EXPECT_EQ(at.gate(1).history(3).total(at.now), at.now - since);
}

TEST(SwitchQueues, NothingLeavesItsOrder) {
    Queues at(2);
    std::vector<uint32_t> left;
    for (int round = 0; round < 200; ++round) {
        at.fill(0, 3, 1, 7);
        at.fill(0, 2, 1, 5);
        at.poll();
        for (const auto& frame : at.wires.take(1, 3, 3)) left.push_back(frame.number);
        at.drain(1, 2, 2);
    }
    EXPECT_GT(left.size(), 500U);
    EXPECT_TRUE(std::ranges::is_sorted(left));
}

// A peer that puts them all into one queue, or takes another for lossless: its port stops as a
// whole before anything is lost.
TEST(SwitchQueues, WhatComesByAQueueThatIsNotItsOwnStopsThePort) {
    Queues at(2);
    for (int round = 0; round < 50; ++round) {
        at.fill(0, 0, 3, 1, 1000);
        at.fill(0, 6, 1, 4);
        at.poll();
        at.drain(1, 6);
    }
    EXPECT_EQ(at.drops(Drop::headroom_overrun), 0U);
    EXPECT_EQ(at.dataplane.shard(0).stopped_queues(0, burst), 0xFF);
    for (int round = 0; round < 100; ++round) {
        at.drain(1, 3);
        at.drain(1, 6);
        at.poll();
    }
    EXPECT_EQ(at.wires.freed, 0U);
    EXPECT_EQ(at.dataplane.shard(0).stopped_queues(0, burst), 0);
    EXPECT_EQ(at.wires.waiting_in(0, 0) + at.wires.waiting_in(0, 6), 0U);
}

// A peer that is in no such mode is believed: it has stopped listening, whatever other source asks
// it to.
TEST(SwitchQueues, APauseFrameIsObeyedToo) {
    Queues at(2);
    at.wires.put_octets(1, 0, test::octets_of(test::pause_of(test::three, 65535)));
    at.poll();
    at.fill(0, 3, 1, 4);
    at.poll(4);
    EXPECT_EQ(at.drain(1, 3), 0U);
    at.wires.put_octets(1, 0, test::octets_of(test::pause_of(test::three, 0)));
    at.poll(2);
    EXPECT_EQ(at.drain(1, 3), 4U);
    EXPECT_EQ(at.dataplane.egress(1).gate().xoffs_received(3), 1U);
}

TEST(SwitchQueues, AtTheEndNoQueueIsLeftAlone) {
    Queues at(2);
    for (int round = 0; round < 20; ++round) {
        at.fill(0, 3, 1);
        at.poll();
    }
    at.stop_receiving();
    EXPECT_TRUE(at.dataplane.shard(0).has_pending_peer_frames());
    at.poll();
    EXPECT_FALSE(at.dataplane.shard(0).has_pending_peer_frames());
    EXPECT_FALSE(at.xoff(0).history(3).lasts(at.now));
}

TEST(SwitchQueues, APortThatGoesDownIsRefusedNothing) {
    Queues at(2);
    for (int round = 0; round < 20; ++round) {
        at.fill(0, 3, 1);
        at.poll();
    }
    ASSERT_NE(at.gate(1).refused(), 0);
    at.dataplane.set_link(1, false);
    at.poll(4);
    EXPECT_EQ(at.gate(1).refused(), 0);
    EXPECT_FALSE(at.gate(1).history(3).lasts(at.now));
    EXPECT_GT(at.drops(Drop::egress_down), 0U);
}

// --- the watchdog ---

Settings watched(WatchdogAction action) {
    Settings settings = queue_settings(2);
    for (PortSettings& port : settings.ports) {
        port.pfc.watchdog = {.action = action,
                             .detection = Nanos(100'000),
                             .restoration = Nanos(100'000),
                             .poll = Nanos(20'000)};
    }
    return settings;
}

TEST(SwitchQueues, TheWatchdogFindsAQueueThatItsPeerNeverEmpties) {
    Queues at(watched(WatchdogAction::alert));
    for (int round = 0; round < 400; ++round) {
        at.fill(0, 3, 1);
        at.poll();
    }
    EXPECT_EQ(at.watchdog(1).pfc_storms(), test::three);
    EXPECT_EQ(at.watchdog(1).detected(3), 1U);
    EXPECT_EQ(at.drops(Drop::pfc_storm), 0U) << "it only tells";
    for (int round = 0; round < 400; ++round) {
        at.drain(1, 3);
        at.poll();
    }
    EXPECT_EQ(at.watchdog(1).pfc_storms(), 0);
    EXPECT_EQ(at.watchdog(1).restored(3), 1U);
}

TEST(SwitchQueues, AQueueThatIsOnlySlowIsNoStorm) {
    Queues at(watched(WatchdogAction::alert));
    for (int round = 0; round < 2000; ++round) {
        at.fill(0, 3, 1);
        if (round % 15 == 0) at.drain(1, 3, 1);
        at.poll();
    }
    EXPECT_EQ(at.watchdog(1).detected(3), 0U);
}

// All is dropped but the first, which goes once the peer lets it: so that is seen.
TEST(SwitchQueues, TheWatchdogDropsAndSeesThePeerResume) {
    Queues at(watched(WatchdogAction::drop));
    for (int round = 0; round < 400; ++round) {
        at.fill(0, 3, 1);
        at.poll();
    }
    EXPECT_EQ(at.watchdog(1).pfc_storms(), test::three);
    EXPECT_GT(at.drops(Drop::pfc_storm), 100U);
    EXPECT_EQ(at.dataplane.egress(1).waiting(), 1U);
    EXPECT_FALSE(at.xoff(0).pausing(3)) << "nobody is held up by it any more";
    at.poll(1000);
    EXPECT_EQ(at.watchdog(1).pfc_storms(), test::three) << "the queue is as full as ever";

    at.drain(1, 3);
    at.poll(400);
    EXPECT_EQ(at.watchdog(1).pfc_storms(), 0);
    EXPECT_EQ(at.drain(1, 3), 1U);
    at.fill(0, 3, 1, 5);
    at.poll(4);
    EXPECT_EQ(at.drain(1, 3), 5U);
    EXPECT_TRUE(ledger_of(at.dataplane).balanced());
}

// --- one ring for all priorities ---

Settings ring_settings(std::size_t ports) {
    Settings settings = queue_settings(ports);
    for (PortSettings& port : settings.ports) port.pfc.by = PfcBy::ring;
    return settings;
}

TEST(SwitchRing, InPlaceOfAnXoffNothingIsTakenFromAPeerThatObeysNone) {
    Queues at(ring_settings(2));
    for (int round = 0; round < 20; ++round) {
        at.fill(0, 3, 1);
        at.poll();
    }
    ASSERT_TRUE(at.xoff(0).pausing(3));
    EXPECT_EQ(at.wires.waiting_in(0, 3), capacity) << "it has to wait, and to stop";
    EXPECT_EQ(at.xoff(0).stops(3), 1U);
    ASSERT_EQ(at.fill(0, 0, 1, 8), 8U);
    at.poll(10);
    EXPECT_EQ(at.wires.waiting_in(0, 0), 8U) << "its other priorities come by the same ring";

    std::size_t arrived = 0;
    for (int round = 0; round < 100; ++round) {
        arrived += at.drain(1, 3) + at.drain(1, 0);
        at.poll();
    }
    EXPECT_EQ(arrived, at.next);
    EXPECT_FALSE(at.xoff(0).pausing(3));
    EXPECT_EQ(at.wires.pauses_sent, 0U);
    EXPECT_EQ(at.wires.freed, 0U);
    EXPECT_TRUE(ledger_of(at.dataplane).balanced());
}

TEST(SwitchRing, OtherPortsGoOn) {
    Queues at(ring_settings(3));
    for (int round = 0; round < 20; ++round) {
        at.fill(0, 3, 1);
        at.poll();
    }
    ASSERT_TRUE(at.xoff(0).pausing(3));
    for (int round = 0; round < 20; ++round) {
        ASSERT_EQ(at.fill(2, 0, 0, 8), 8U);
        at.poll();
        EXPECT_EQ(at.drain(0, 0), 8U) << "nor does it matter to the way out of the port";
    }
}

// --- pause frames that the peer does not obey ---

Settings judging_settings() {
    Settings settings = queue_settings(2);
    for (PortSettings& port : settings.ports) {
        port.pfc.by = PfcBy::frames;
        port.pfc.headroom = Bytes(1024 * 1024);
        port.pfc.pause = Quanta(65535);
        port.pfc.obeyed_within = 20_us;
    }
    settings.buffer.size = Bytes(4 * 1024 * 1024);
    return settings;
}

TEST(SwitchPauses, AnXoffThatWasLostIsSentAgainBeforeHalfItsTime) {
    Queues at(judging_settings());
    while (at.wires.pauses_sent == 0) {
        at.fill(0, 3, 1, 4);
        at.poll();
    }
    for (int poll = 0; poll < 25; ++poll) {
        EXPECT_EQ(at.wires.pauses_sent, poll < 21 ? 1U : 2U) << poll;
        at.fill(0, 3, 1, 1);
        at.poll();
    }
    at.poll(1000);
    EXPECT_EQ(at.wires.pauses_sent, 2U) << "from then on it obeys";
    EXPECT_EQ(at.dataplane.ingress(0).obedience().late(3), 0U);
}

TEST(SwitchPauses, WhatComesInSpiteOfBothIsCounted) {
    Queues at(judging_settings());
    while (at.wires.pauses_sent == 0) {
        at.fill(0, 3, 1, 4);
        at.poll();
    }
    for (int poll = 0; poll < 1500; ++poll) {
        at.fill(0, 3, 1, 1);
        at.poll();
    }
    EXPECT_EQ(at.wires.pauses_sent, 2U) << "half of its time is 1.7 ms";
    EXPECT_GT(at.dataplane.ingress(0).obedience().late(3), 400U);
    EXPECT_EQ(at.dataplane.ingress(0).obedience().repeats(3), 1U);
    EXPECT_EQ(at.drops(Drop::headroom_overrun), 0U) << "it is found before anything is lost";
}

}  // namespace
}  // namespace sluice

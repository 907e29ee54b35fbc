#include "tools/gen/sender.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/unit/gen/fake_link.h"

namespace sluice::gen {
namespace {

using namespace literals;

SenderSettings incast(PrioritySet priorities) {
    SenderSettings settings;
    settings.pattern.shape = Shape::incast;
    settings.pattern.ports = 4;
    settings.pattern.priorities = priorities;
    return settings;
}

PauseFrame pause(Priority priority, uint16_t quanta) {
    PauseFrame frame;
    frame.enabled = only_priority(priority);
    frame.time[priority] = quanta;
    return frame;
}

std::map<int, int> by_priority(const std::vector<Probe>& probes) {
    std::map<int, int> count;
    for (const Probe& probe : probes) ++count[probe.flow.priority];
    return count;
}

TEST(Sender, SendsABurstAPollWhenNothingLimitsIt) {
    FakeLink link;
    Sender sender(incast(only_priority(0)), 1, link, 0_ns);
    EXPECT_EQ(sender.poll(0_ns), burst_frames);
    EXPECT_EQ(sender.frames(), burst_frames);
    EXPECT_EQ(sender.octets(), burst_frames * 64);
    EXPECT_EQ(sender.offered(0, 0), burst_frames);
    const auto probes = link.take_probes();
    for (std::size_t n = 0; n < probes.size(); ++n) EXPECT_EQ(probes[n].sequence, n);
}

TEST(Sender, HostsHaveTheirTurn) {
    FakeLink link;
    SenderSettings settings = incast(only_priority(0));
    settings.frames = 5;
    settings.from_hosts = 3;
    settings.to_hosts = 2;
    Sender sender(settings, 1, link, 0_ns);
    sender.poll(0_ns);
    ASSERT_EQ(link.sent.size(), 5U);
    for (uint32_t n = 0; n < 5; ++n) {
        EXPECT_EQ(read_address(link.sent[n].data()), host_address(n % 2));
        EXPECT_EQ(read_address(link.sent[n].data() + source_offset), host_address(n % 3));
    }
}

TEST(Sender, AddressesHaveTheirTurnInEveryFlowAlone) {
    FakeLink link;
    SenderSettings settings = incast(0b1001);
    settings.addresses = 20;
    Sender sender(settings, 1, link, 0_ns);
    for (int poll = 0; poll < 20; ++poll) sender.poll(0_ns);
    std::map<int, AddressTurns> turns;
    for (const Octets& frame : link.sent) {
        const auto probe = read_probe(frame);
        ASSERT_TRUE(probe);
        EXPECT_EQ(probe->flow.sender, 1);
        EXPECT_EQ(probe->flow.receiver, 0);
        const auto pair = turns[probe->flow.priority].next(20);
        EXPECT_EQ(read_address(frame.data()), station_address(0, pair.to));
        EXPECT_EQ(read_address(frame.data() + source_offset), station_address(1, pair.from));
    }
    EXPECT_EQ(link.sent.size(), 20 * burst_frames);
    EXPECT_EQ(turns.size(), 2U);
}

TEST(Sender, KeepsItsRateAndItsEnd) {
    FakeLink link;
    SenderSettings settings = incast(only_priority(0));
    settings.rate = Rate::frames(1000);
    settings.frames = 5;
    Sender sender(settings, 1, link, 0_ns);
    std::string sent;
    for (Nanos now; now < 8_ms; now += 500_us) {
        sent += static_cast<char>('0' + sender.poll(now));
        EXPECT_EQ(sender.finished(), now >= 4_ms);
    }
    EXPECT_EQ(sent, "1010101010000000");
}

TEST(Sender, TakesAnotherRateOnTheWay) {
    FakeLink link;
    SenderSettings settings = incast(only_priority(0));
    settings.rate = Rate::frames(1000);
    Sender sender(settings, 1, link, 0_ns);
    std::string sent;
    for (Nanos now; now < 8_ms; now += 500_us) {
        if (now == 4_ms) sender.set_rate(Rate::frames(500), now);
        sent += static_cast<char>('0' + sender.poll(now));
    }
    EXPECT_EQ(sent, "1010101010001000");
}

TEST(Sender, OfferedIsWhatTheDeviceTookAndOrderHolds) {
    FakeLink link;
    Sender sender(incast(0b1001), 1, link, 0_ns);
    std::vector<Probe> all;
    for (int poll = 0; poll < 100; ++poll) {
        link.room = static_cast<std::size_t>(poll * 7 % 50);
        sender.poll(Nanos(poll));
        for (const Probe& probe : link.take_probes()) all.push_back(probe);
    }
    EXPECT_EQ(sender.frames(), all.size());
    EXPECT_EQ(sender.offered(0, 0) + sender.offered(0, 3), all.size());
    std::map<int, uint64_t> next;
    for (const Probe& probe : all) EXPECT_EQ(probe.sequence, next[probe.flow.priority]++);
    EXPECT_EQ(next[0], sender.offered(0, 0));
    EXPECT_EQ(next[3], sender.offered(0, 3));
}

TEST(Sender, TimeInAFrameIsThatOfTheAttemptThatSucceeds) {
    FakeLink link;
    link.room = 0;
    Sender sender(incast(only_priority(0)), 1, link, 0_ns);
    sender.poll(1_us);
    link.room = SIZE_MAX;
    sender.poll(9_us);
    const auto probes = link.take_probes();
    ASSERT_FALSE(probes.empty());
    EXPECT_EQ(probes[0].age(9_us), 0_ns);
}

TEST(Sender, StopsThePausedPriorityAlone) {
    FakeLink link;
    SenderSettings settings = incast(0b1001);
    settings.obeys = only_priority(3);
    Sender sender(settings, 1, link, 0_ns);
    sender.receive(pause(3, 65535), 0_ns);
    sender.poll(0_ns);
    EXPECT_EQ(by_priority(link.take_probes()), (std::map<int, int>{{0, burst_frames}}));
    sender.receive(pause(3, 0), 1_us);  // XON
    sender.poll(1_us);
    EXPECT_GT(by_priority(link.take_probes())[3], 0);
}

TEST(Sender, IgnoresPausesOfPrioritiesThatItNeedNotObey) {
    FakeLink link;
    Sender sender(incast(only_priority(3)), 1, link, 0_ns);
    sender.receive(pause(3, 65535), 0_ns);
    EXPECT_EQ(sender.poll(0_ns), burst_frames);
}

TEST(Sender, APauseEndsByItsTimer) {
    FakeLink link;
    SenderSettings settings = incast(only_priority(3));
    settings.obeys = only_priority(3);
    Sender sender(settings, 1, link, 0_ns);
    sender.receive(pause(3, 100), 0_ns);  // 100 quanta at 10G: 5120 ns
    EXPECT_EQ(sender.poll(5119_ns), 0U);
    EXPECT_EQ(sender.poll(5120_ns), burst_frames);
}

TEST(Sender, WhatWasRefusedObeysAPauseThatCameInBetween) {
    FakeLink link;
    SenderSettings settings = incast(0b1001);
    settings.obeys = only_priority(3);
    Sender sender(settings, 1, link, 0_ns);
    link.room = 0;
    sender.poll(0_ns);
    sender.receive(pause(3, 65535), 1_us);
    link.room = SIZE_MAX;
    sender.poll(1_us);
    EXPECT_FALSE(by_priority(link.take_probes()).contains(3));
    sender.receive(pause(3, 0), 2_us);
    sender.poll(2_us);
    const auto probes = link.take_probes();
    const auto first = std::ranges::find(probes, 3, [](const Probe& p) { return p.flow.priority; });
    ASSERT_NE(first, probes.end());
    EXPECT_EQ(first->sequence, 0U);
}

TEST(Sender, TakesItsResponseTimeToObey) {
    FakeLink link;
    SenderSettings settings = incast(only_priority(3));
    settings.obeys = only_priority(3);
    settings.response = 10_us;
    Sender sender(settings, 1, link, 0_ns);
    sender.receive(pause(3, 65535), 100_us);
    EXPECT_EQ(sender.poll(109_us), burst_frames);
    EXPECT_EQ(sender.poll(110_us), 0U);
    sender.receive(pause(3, 0), 115_us);
    EXPECT_EQ(sender.poll(124_us), 0U);
    EXPECT_EQ(sender.poll(125_us), burst_frames);
}

TEST(Sender, WithoutBuffersItWaitsAndGivesAllBackInTheEnd) {
    FakeLink link;
    {
        SenderSettings settings = incast(0xFF);
        settings.pattern.frames = FrameMix::imix();
        Sender sender(settings, 1, link, 0_ns);
        link.has_buffers = false;
        EXPECT_EQ(sender.poll(0_ns), 0U);
        link.has_buffers = true;
        link.room = 10;
        EXPECT_EQ(sender.poll(0_ns), 10U);
        EXPECT_GT(link.outstanding, 0);
    }
    EXPECT_EQ(link.outstanding, 0);
}

TEST(Sender, SendsTheMix) {
    FakeLink link;
    SenderSettings settings = incast(only_priority(0));
    settings.pattern.frames = FrameMix::imix();
    Sender sender(settings, 1, link, 0_ns);
    for (int poll = 0; poll < 100; ++poll) sender.poll(0_ns);
    std::map<std::size_t, int> lengths;
    uint64_t octets = 0;
    for (const Octets& frame : link.sent) {
        ++lengths[frame.size()];
        octets += frame.size() + 4;
    }
    EXPECT_EQ(lengths.size(), 3U);
    EXPECT_GT(lengths[60], lengths[590]);
    EXPECT_GT(lengths[590], lengths[1514]);
    EXPECT_EQ(octets, sender.octets());
}

}  // namespace
}  // namespace sluice::gen

#include "tools/gen/receiver.h"

#include <gtest/gtest.h>

#include "tests/support/pauses.h"
#include "tests/unit/gen/fake_link.h"
#include "tools/gen/generator.h"

namespace sluice::gen {
namespace {

using namespace literals;

constexpr auto ignore = [](const PauseFrame&) {};

Octets pfc(Priority priority, uint16_t quanta) {
    PauseFrame pause;
    pause.enabled = only_priority(priority);
    pause.time[priority] = quanta;
    Octets octets(pause_frame_octets);
    write_pause_frame(std::span<uint8_t, pause_frame_octets>(octets), station_address(9), pause);
    return octets;
}

TEST(Receiver, MetersByFlow) {
    FakeLink link;
    ReceiverSettings settings;
    settings.ports = 4;
    Receiver receiver(settings, 0, link, 0_ns);
    link.arrivals = {probe_of({1, 0, 3}, 0), probe_of({2, 0, 3}, 0), probe_of({1, 0, 3}, 2),
                     probe_of({1, 0, 3}, 1)};
    EXPECT_EQ(receiver.poll(1_us, ignore), 4U);
    EXPECT_EQ(receiver.flow(1, 3).delivered(), 3U);
    EXPECT_EQ(receiver.flow(1, 3).reordered(), 1U);
    EXPECT_EQ(receiver.flow(2, 3).delivered(), 1U);
    EXPECT_EQ(receiver.probes(), 4U);
    EXPECT_EQ(receiver.octets(), 4U * 64);
    EXPECT_EQ(receiver.latency().max(), 1000U);
    EXPECT_EQ(link.outstanding, 0);
}

TEST(Receiver, KnowsTheLatencyOfEachFlow) {
    FakeLink link;
    ReceiverSettings settings;
    settings.ports = 3;
    Receiver receiver(settings, 0, link, 0_ns);
    link.arrivals = {probe_of({1, 0, 3}, 0), probe_of({1, 0, 3}, 1), probe_of({1, 0, 3}, 2),
                     probe_of({2, 0, 3}, 0)};
    stamp_time(link.arrivals[0].data(), 90_ns);
    stamp_time(link.arrivals[1].data(), 90_ns);
    stamp_time(link.arrivals[2].data(), 80_ns);
    stamp_time(link.arrivals[3].data(), 70_ns);
    receiver.poll(100_ns, ignore);
    EXPECT_EQ(receiver.latency().total(), 4U);
    EXPECT_EQ(receiver.latency(1, 3).p50, 10U);
    EXPECT_EQ(receiver.latency(1, 3).max, 20U);
    EXPECT_EQ(receiver.latency(2, 3).max, 30U);
    EXPECT_EQ(receiver.latency(1, 0).max, 0U);
    EXPECT_EQ(receiver.latency().max(), 30U);
}

TEST(Receiver, KnowsWhenAFrameWasLastMissed) {
    FakeLink link;
    Receiver receiver({}, 0, link, 0_ns);
    link.arrivals = {probe_of({1, 0, 3}, 0), probe_of({1, 0, 3}, 1)};
    receiver.poll(1_us, ignore);
    EXPECT_FALSE(receiver.last_gap());
    link.arrivals = {probe_of({1, 0, 3}, 2), probe_of({1, 0, 3}, 4)};
    receiver.poll(2_us, ignore);
    link.arrivals = {probe_of({1, 0, 3}, 3), probe_of({1, 0, 3}, 5)};
    receiver.poll(3_us, ignore);
    EXPECT_EQ(receiver.last_gap(), 2_us);
}

TEST(Receiver, OtherRunsOtherPortsAndOtherPeopleAreNotMetered) {
    FakeLink link;
    ReceiverSettings settings;
    settings.ports = 4;
    settings.run = 7;
    Receiver receiver(settings, 0, link, 0_ns);
    link.arrivals = {probe_of({1, 0, 3}, 0, 64, 6), probe_of({1, 2, 3}, 0, 64, 7),
                     probe_of({5, 0, 3}, 0, 64, 7), Octets(60)};
    EXPECT_EQ(receiver.poll(0_ns, ignore), 4U);
    EXPECT_EQ(receiver.strays(), 3U);
    EXPECT_EQ(receiver.probes(), 0U);
    EXPECT_EQ(receiver.frames(), 4U);
}

TEST(Receiver, ObeysPauses) {
    FakeLink link;
    Receiver receiver({}, 0, link, 0_ns);
    link.arrivals = {pfc(3, 65535), pfc(3, 0), pfc(5, 1)};
    int received = 0;
    receiver.poll(0_ns, [&](const PauseFrame&) { ++received; });
    EXPECT_EQ(received, 3);
    EXPECT_EQ(receiver.pause_frames_received(), 3U);
    EXPECT_EQ(receiver.pauses_received(3), 1U);  // the XON is none
    EXPECT_EQ(receiver.pauses_received(5), 1U);
}

struct SlowHost : testing::Test {
    SlowHost() {
        settings.host = Rate::frames(1'000'000);
        settings.pauses = only_priority(3);
    }
    void arrive(std::size_t frames) {
        for (std::size_t n = 0; n < frames; ++n) link.arrivals.push_back(probe_of({1, 0, 3}, n));
    }
    // The PFC frames that it sent, X for XOFF and O for XON.
    std::string announced() {
        std::string said;
        for (const Octets& octets : link.sent) {
            said += test::pause_in(octets)->time[3] != 0 ? 'X' : 'O';
        }
        return said;
    }

    FakeLink link;
    ReceiverSettings settings;
};

TEST_F(SlowHost, LeavesFramesOnTheDeviceWhenItsBacklogIsFull) {
    settings.pauses = 0;
    Receiver receiver(settings, 0, link, 0_ns);
    arrive(2000);
    for (int poll = 0; poll < 100; ++poll) receiver.poll(0_ns, ignore);
    // One frame was due at once, when the first burst had come.
    EXPECT_EQ(receiver.frames(), Receiver::backlog_frames + 1);
    EXPECT_EQ(receiver.poll(5_us, ignore), 5U);
    EXPECT_TRUE(link.sent.empty());
}

TEST_F(SlowHost, PausesAtXoffAndResumesAtXon) {
    Receiver receiver(settings, 0, link, 0_ns);
    arrive(Receiver::xoff_frames);
    while (!link.arrivals.empty()) receiver.poll(0_ns, ignore);
    EXPECT_EQ(announced(), "");
    arrive(2);
    receiver.poll(0_ns, ignore);
    EXPECT_EQ(announced(), "X");
    Nanos now = 0_ns;
    const auto serve = [&](std::size_t frames) {
        for (; frames > 0; --frames) receiver.poll(now += 1_us, ignore);
    };
    serve(Receiver::xoff_frames - Receiver::xon_frames);
    EXPECT_EQ(announced(), "X");
    serve(1);
    EXPECT_EQ(announced(), "XO");
}

TEST_F(SlowHost, RefreshesItsPauseAtHalfItsTime) {
    settings.host = Rate::frames(1);
    Receiver receiver(settings, 0, link, 0_ns);
    arrive(1000);
    while (!link.arrivals.empty()) receiver.poll(0_ns, ignore);
    receiver.poll(1677_us, ignore);  // 65535 quanta at 10G last 3355 us
    EXPECT_EQ(announced(), "X");
    receiver.poll(1678_us, ignore);
    EXPECT_EQ(announced(), "XX");
}

TEST_F(SlowHost, DoesNotPauseBeforeItMay) {
    settings.pauses_from = 10_us;
    settings.host = Rate::frames(1);
    Receiver receiver(settings, 0, link, 0_ns);
    arrive(1000);
    while (!link.arrivals.empty()) receiver.poll(9_us, ignore);
    EXPECT_EQ(announced(), "");
    receiver.poll(10_us, ignore);
    EXPECT_EQ(announced(), "X");
}

TEST_F(SlowHost, DrainsAtOnceAndEndsItsPause) {
    {
        Receiver receiver(settings, 0, link, 0_ns);
        arrive(1000);
        while (!link.arrivals.empty()) receiver.poll(0_ns, ignore);
        receiver.drain();
        receiver.poll(0_ns, ignore);
        EXPECT_EQ(announced(), "XO");
        EXPECT_EQ(link.outstanding, 0);
        arrive(10);
    }
    EXPECT_EQ(link.outstanding, 0);
}

// Two stations on one cable: each receives the frames of the other.
TEST(Generator, CountsWhatWasOfferedDeliveredAndLost) {
    FakeLink left;
    FakeLink right;
    const std::array<Link*, 2> links = {&left, &right};
    Traffic traffic;
    traffic.senders.pattern.shape = Shape::pairs;
    traffic.senders.frames = 100;
    Generator generator(links, traffic, 0_ns);
    bool lose = true;
    Nanos now;
    while (!generator.finished() || !left.arrivals.empty() || !right.arrivals.empty()) {
        generator.poll([&] { return now += 1_us; }, true);
        if (lose && !left.sent.empty()) {
            left.sent.erase(left.sent.begin());
            lose = false;
        }
        std::ranges::move(left.sent, std::back_inserter(right.arrivals));
        std::ranges::move(right.sent, std::back_inserter(left.arrivals));
        left.sent.clear();
        right.sent.clear();
    }
    const Results results = generator.results();
    EXPECT_EQ(results.offered, 200U);
    EXPECT_EQ(results.delivered, 199U);
    EXPECT_EQ(results.lost, 1U);
    EXPECT_EQ(results.latency.total(), 199U);
    ASSERT_EQ(results.flows.size(), 2U);
    EXPECT_EQ(results.flows[1].flow, (Flow{0, 1, 0}));
    EXPECT_EQ(results.flows[1].lost(), 1U);
    EXPECT_EQ(results.flows[0].lost(), 0U);
}

// Three stations: a frame of one reaches both others, except one copy.
TEST(Generator, ReportsTheLastGapOfAllItsReceivers) {
    std::array<FakeLink, 2> links;
    const std::array<Link*, 2> views = {&links[0], &links[1]};
    Generator generator(views, {}, 0_ns);
    Nanos now = 0_ns;
    const auto poll = [&] { generator.poll([&] { return now; }, false); };
    EXPECT_FALSE(generator.last_gap());
    now = 1_us;
    links[1].arrivals = {probe_of({0, 1, 0}, 3)};
    poll();
    now = 2_us;
    links[0].arrivals = {probe_of({1, 0, 0}, 3)};
    poll();
    EXPECT_EQ(generator.last_gap(), 2_us);
}

TEST(Generator, OfABroadcastEachOtherStationIsOwedACopy) {
    std::array<FakeLink, 3> ends;
    const std::array<Link*, 3> links = {&ends[0], &ends[1], &ends[2]};
    Traffic traffic;
    traffic.senders.pattern.shape = Shape::broadcast;
    traffic.senders.pattern.ports = 3;
    traffic.senders.frames = 10;
    traffic.talkers = only(1);
    Generator generator(links, traffic, 0_ns);
    Nanos now;
    const auto clock = [&] { return now += 1_us; };
    generator.poll(clock, true);
    EXPECT_TRUE(generator.finished());
    EXPECT_TRUE(ends[0].sent.empty());
    ends[0].arrivals = ends[1].sent;
    ends[2].arrivals = ends[1].sent;
    ends[2].arrivals.pop_back();
    generator.poll(clock, true);
    const Results results = generator.results();
    EXPECT_EQ(results.offered, 20U);
    EXPECT_EQ(results.delivered, 19U);
    EXPECT_EQ(results.lost, 1U);
    EXPECT_EQ(results.strays, 0U);
}

TEST(Generator, AnnouncesEveryStation) {
    FakeLink left;
    FakeLink right;
    const std::array<Link*, 2> links = {&left, &right};
    right.room = 0;
    EXPECT_EQ(announce(links, 0), 1U);
    EXPECT_EQ(left.sent.size(), 1U);
    EXPECT_EQ(left.outstanding + right.outstanding, 0);
}

TEST(Generator, AnnouncesSoManyAddressesOfEveryStation) {
    FakeLink left;
    FakeLink right;
    const std::array<Link*, 2> links = {&left, &right};
    right.room = 2;
    EXPECT_EQ(announce(links, 0, FormatFamily::ethernet, {1000, 3}), 5U);
    ASSERT_EQ(left.sent.size(), 3U);
    EXPECT_EQ(right.sent.size(), 2U);
    for (uint32_t n = 0; n < 3; ++n) {
        EXPECT_EQ(read_address(&left.sent[n][source_offset]), station_address(0, 1000 + n));
    }
    EXPECT_EQ(left.outstanding + right.outstanding, 0);
}

TEST(Generator, DiscardsWhatHasArrived) {
    FakeLink link;
    const std::array<Link*, 1> links = {&link};
    link.arrivals.assign(3 * burst_frames, probe_of({1, 0, 0}, 0));
    discard_arrivals(links);
    EXPECT_TRUE(link.arrivals.empty());
    EXPECT_EQ(link.outstanding, 0);
}

}  // namespace
}  // namespace sluice::gen

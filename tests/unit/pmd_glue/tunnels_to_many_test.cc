// A tunnel to many VTEPs of one network.
#include <random>
#include <thread>

#include "pmd_glue/workers.h"
#include "tests/unit/pmd_glue/tunnels_to_many_bed.h"

namespace sluice::pmd {
namespace {

TEST_F(TunnelsToManyTest, AFloodGoesOnceToEach) {
    for (const uint32_t count : {1U, 2U, 31U, 32U, 33U, 127U, 128U, most_vteps}) {
        add(count);
        const Octets sent = to(broadcast_address, 64 + count);
        ASSERT_EQ(send(sent), 1U);
        const auto copies = all_left();
        EXPECT_EQ(copies.size(), count);
        for (uint32_t number = 0; number < count; ++number) {
            ASSERT_EQ(copies.count(number), 1U) << number;
            EXPECT_EQ(copies.find(number)->second, sent);
        }
    }
    EXPECT_EQ(end().flooded.value(), 8U);
    EXPECT_EQ(end().encapsulated.value(), 1U + 2 + 31 + 32 + 33 + 127 + 128 + most_vteps);
    EXPECT_EQ(passed(0).sent, 8U);
    EXPECT_EQ(passed(most_vteps - 1).sent, 1U);
    EXPECT_EQ(passed(most_vteps - 1).sent_octets, 64U + most_vteps);
}

TEST_F(TunnelsToManyTest, WhileAFloodIsUnderWayNothingElseIsTaken) {
    add(most_vteps);
    ASSERT_EQ(send(to(broadcast_address)), 1U);
    // The device has 127 places, and nobody takes them.
    EXPECT_EQ(send(to(test::station(5))), 0U);
    EXPECT_FALSE(tunnels_.gives_up(over));
    EXPECT_EQ(all_left().size(), most_vteps);
    EXPECT_EQ(send(to(broadcast_address)), 1U);
    EXPECT_EQ(all_left().size(), most_vteps);
}

TEST_F(TunnelsToManyTest, AFloodWaitsWhileItsPriorityIsPaused) {
    constexpr Priority priority = 3;
    add(most_vteps);
    Frame frame = frame_of(to(broadcast_address));
    frame.priority = priority;
    ASSERT_EQ(tunnels_.transmit(over, {&frame, 1}), 1U);
    std::size_t before = left().size();
    EXPECT_LT(before, most_vteps);
    for (int poll = 0; poll < 5; ++poll) {
        EXPECT_EQ(send(to(test::station(5))), 0U) << "of another priority, behind it";
        tunnels_.go_on(over, only_priority(priority));
        EXPECT_EQ(left().size(), 0U);
    }
    EXPECT_TRUE(tunnels_.any_floods());
    tunnels_.go_on(over, only_priority(priority - 1));
    before += left().size();
    EXPECT_EQ(before + all_left().size(), most_vteps);
    EXPECT_FALSE(tunnels_.any_floods());
}

TEST_F(TunnelsToManyTest, APollMakesNoMoreCopiesThanItsBound) {
    constexpr uint32_t count = 40;
    constexpr std::size_t whole_floods = Tunnels::copies_a_poll / count;
    add(count);
    for (std::size_t flood = 0; flood < whole_floods; ++flood) {
        ASSERT_EQ(send(to(broadcast_address)), 1U);
        ASSERT_EQ(left().size(), count);
    }
    ASSERT_EQ(send(to(broadcast_address)), 1U);
    EXPECT_EQ(left().size(), Tunnels::copies_a_poll - whole_floods * count);
    EXPECT_EQ(send(to(broadcast_address)), 0U);
    EXPECT_TRUE(left().empty());
    tunnels_.go_on(over);
    EXPECT_EQ(left().size(), 0U) << "the end of the same poll";
    EXPECT_EQ(all_left().size(), (whole_floods + 1) * count - Tunnels::copies_a_poll);
}

TEST_F(TunnelsToManyTest, AKnownStationIsSentToAlone) {
    add(3);
    const Octets said = test::octets_of({.to = test::station(1), .from = test::station(9)});
    arrive(2, said);
    EXPECT_EQ(received(over), std::vector<Octets>{said});
    EXPECT_EQ(passed(2).received, 1U);
    EXPECT_EQ(passed(2).received_octets, said.size());
    const Octets answer = to(test::station(9));
    ASSERT_EQ(send(answer), 1U);
    const auto copies = left();
    ASSERT_EQ(copies.size(), 1U);
    EXPECT_EQ(copies.begin()->first, 2U);
    EXPECT_EQ(copies.begin()->second, answer);
    EXPECT_EQ(end().copied.value(), 0U);
    EXPECT_EQ(end().flooded.value(), 0U);
    ASSERT_EQ(send(to(test::station(8))), 1U);
    EXPECT_EQ(all_left().size(), 3U) << "one that nobody knows is flooded to";
}

TEST_F(TunnelsToManyTest, FramesKeepTheirOrderWhateverTheyAreFor) {
    add(2);
    arrive(0, test::octets_of({.from = test::station(9)}));
    arrive(1, test::octets_of({.from = test::station(8)}));
    EXPECT_EQ(received(over).size(), 2U);
    const std::array frames = {
        frame_of(to(test::station(9), 70)), frame_of(to(broadcast_address, 71)),
        frame_of(to(test::station(8), 72)), frame_of(to(test::station(9), 73))};
    ASSERT_EQ(tunnels_.transmit(over, frames), 4U);
    std::map<uint32_t, std::vector<std::size_t>> lengths;
    std::array<Frame, max_burst> burst;
    const std::size_t count = ours_->bursts().receive(burst);
    for (const Frame& frame : std::span(burst).first(count)) {
        lengths[read_32(frame.data + 30) - vtep(0).bits].push_back(frame.length - vxlan_octets);
    }
    free_frames(*pool_, std::span(burst).first(count));
    EXPECT_EQ(lengths[0], (std::vector<std::size_t>{70, 71, 73}));
    EXPECT_EQ(lengths[1], (std::vector<std::size_t>{71, 72}));
}

TEST_F(TunnelsToManyTest, WhoseNextHopIsNotKnownGetsNothingAndIsCounted) {
    add(3);
    const auto lost = *vteps().from(vtep(1));
    vteps().set_next_hop(lost, {});
    ASSERT_EQ(send(to(broadcast_address)), 1U);
    EXPECT_EQ(all_left().size(), 2U);
    EXPECT_EQ(passed(1).dropped, 1U);
    arrive(1, test::octets_of({.from = test::station(9)}));
    EXPECT_EQ(received(over).size(), 1U);
    ASSERT_EQ(send(to(test::station(9))), 1U);
    EXPECT_TRUE(left().empty());
    EXPECT_EQ(passed(1).dropped, 2U);
    EXPECT_EQ(passed(1).sent, 0U);
}

TEST_F(TunnelsToManyTest, OneThatIsNoVtepIsRefused) {
    add(2);
    arrive(5, test::octets_of({.from = test::station(9)}));
    EXPECT_TRUE(received(over).empty());
    EXPECT_EQ(
        underlay_->underlay_end()->refused[static_cast<std::size_t>(Refusal::other_source)].value(),
        1U);
}

TEST_F(TunnelsToManyTest, WhatOthersHoldIsCopied) {
    add(2);
    arrive(1, test::octets_of({.from = test::station(9)}));
    EXPECT_EQ(received(over).size(), 1U);
    const Octets octets = to(test::station(9));
    const Frame frame = frame_of(octets);
    Pool::share(frame.handle, 1);
    ASSERT_EQ(tunnels_.transmit(over, {&frame, 1}), 1U);
    EXPECT_EQ(left().size(), 1U);
    EXPECT_TRUE(std::equal(octets.begin(), octets.end(), frame.data)) << "theirs is as it was";
    Pool::share(frame.handle, 1);
    ASSERT_EQ(tunnels_.transmit(over, {&frame, 1}), 1U);
    EXPECT_EQ(left().size(), 1U);
    free_frames(*pool_, {&frame, 1});
}

TEST_F(TunnelsToManyTest, AFloodGoesOnUnderNewSettingsAndEndsWithItsTunnel) {
    add(most_vteps);
    ASSERT_EQ(send(to(broadcast_address)), 1U);
    Ports ports{};
    ports[below] = &underlay_->bursts();
    ports[over] = &tunnel_->bursts();
    tunnels_.use(ports);
    EXPECT_EQ(all_left().size(), most_vteps);
    ASSERT_EQ(send(to(broadcast_address)), 1U);
    ports[over] = nullptr;
    tunnels_.use(ports);
    EXPECT_EQ(tunnels_.to_many(), 0U);
    EXPECT_LT(left().size(), most_vteps);
    EXPECT_EQ(underlay_->underlay_end()->cut_off.value(), 1U);
}

// In a whole switch with a host at a third port, whose worker is stopped in the middle of a flood.
TEST_F(TunnelsToManyTest, AFloodEndsBeforeTheSwitchStops) {
    add(most_vteps);
    const auto host = open_port("ring:many_host/b", *pool_);
    const auto port_to_host = open_port("ring:many_host/a", *pool_);
    Settings settings;
    settings.ports.resize(3);
    settings.ports[over].underlay = below;
    settings.buffer.size = Bytes(1024 * 1024);
    Switch dataplane(settings);
    for (PortIndex port = 0; port < 3; ++port) dataplane.set_link(port, true);
    const Clock clock = Clock::calibrated();
    Workers workers(dataplane, settings,
                    std::vector<Port*>{underlay_.get(), tunnel_.get(), port_to_host.get()},
                    std::vector<Pool*>{pool_.get()}, clock, {.drain_limit = Nanos(10'000'000'000)});
    // The FDB has the address at the tunnel, so that the frame is not flooded to other ports.
    const MacAddress far = test::station(5);
    ASSERT_TRUE(dataplane.order_remote(1, far, {RemoteOrder::Kind::bind, over}));
    workers.worker(0).poll(clock.now());
    const Octets flood = to(far);
    const Frame frame = frame_of(flood);
    ASSERT_EQ(host->bursts().transmit({&frame, 1}), 1U);
    workers.worker(0).poll(clock.now());
    ASSERT_EQ(end().flooded.value(), 1U);
    ASSERT_LT(end().copied.value(), most_vteps);
    ASSERT_TRUE(dataplane.empty());
    std::size_t copies = 0;
    const auto receive = [&] {
        std::array<Frame, max_burst> burst;
        const auto got = std::span(burst).first(ours_->bursts().receive(burst));
        for (const Frame& copy : got)
            copies += copy.length == vxlan_octets + flood.size() ? 1U : 0U;
        free_frames(*pool_, got);
        return !got.empty();
    };
    workers.start(eal());
    std::jthread reader([&](const std::stop_token& stop) {
        while (receive() || !stop.stop_requested()) std::this_thread::yield();
    });
    EXPECT_TRUE(workers.stop().empty());
    reader.request_stop();
    reader.join();
    EXPECT_EQ(copies, most_vteps);
}

// While the device and VTEPs come and go, each VTEP gets at most one copy of a flood, and exactly
// one if it was there all the time; frames for one station go to its VTEP alone.
TEST_F(TunnelsToManyTest, WhateverHappensNobodyGetsAFloodTwice) {
    std::mt19937 chance(20261129);
    const auto below_of = [&](uint32_t end) { return static_cast<uint32_t>(chance() % end); };
    for (unsigned round = 0; round < 60; ++round) {
        const uint32_t count = 1 + below_of(most_vteps);
        add(count);
        std::vector<bool> stayed(most_vteps, true);
        const Octets flood = to(broadcast_address, 60 + round);
        ASSERT_EQ(send(flood), 1U);
        std::multimap<uint32_t, Octets> copies;
        for (int turn = 0; turn < 60; ++turn) {
            if (turn < 10 && below_of(2) == 0) {
                const uint32_t gone = below_of(count);
                stayed[gone] = false;
                if (const auto id = vteps().from(vtep(gone))) vteps().remove(*id);
                if (below_of(2) == 0) {
                    const auto again = vteps().add(vtep(gone));
                    vteps().set_flooded(*again, true);
                    vteps().set_next_hop(*again, router_to(gone));
                }
            }
            if (below_of(3) == 0) tunnels_.go_on(over);
            if (turn > 10 || below_of(4) == 0) copies.merge(left());
        }
        copies.merge(all_left());
        for (uint32_t number = 0; number < count; ++number) {
            ASSERT_LE(copies.count(number), 1U) << number;
            if (stayed[number]) {
                ASSERT_EQ(copies.count(number), 1U) << number;
            }
        }
        for (const auto& [number, octets] : copies) ASSERT_EQ(octets, flood);
        std::vector<VtepId> all;
        vteps().for_each([&](VtepId id, const VtepWay&) { all.push_back(id); });
        for (const VtepId id : all) vteps().remove(id);
    }
}

}  // namespace
}  // namespace sluice::pmd

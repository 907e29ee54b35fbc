// No allocation after start: every way to ask for memory is counted, and the frame path asks for
// none.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

#include "dataplane/shard.h"
#include "dataplane/switch.h"
#include "tests/support/counted_allocations.h"
#include "tests/support/octets.h"

namespace sluice {
namespace {

using namespace literals;
using test::allocations;
using test::octets_of;
using test::station;

TEST(Allocations, AreSeenByThisTest) {
    const int before = allocations();
    const auto one = std::make_unique<int>(1);
    const std::vector<int> two(1);
    void* volatile three = std::malloc(8);
    // A compiler may leave out an allocation whose address is used nowhere.
    [[maybe_unused]] const void* volatile used = one.get();
    used = two.data();
    EXPECT_EQ(allocations() - before, 3);
    std::free(three);
}

// The memory for a port of another worker is made on that worker, and twice the ports make next to
// nothing more outside.
TEST(Allocations, OfWhatAWorkerAloneUsesAreMadeOnIt) {
    Settings settings;
    settings.workers = 2;
    struct Made {
        std::array<int, 2> on{};
        int outside = 0;
    };
    const auto made = [&](PortIndex ports, PortIndex of_first) {
        settings.ports.resize(ports);
        for (PortIndex port = 0; port < ports; ++port) {
            settings.ports[port].worker = port < of_first ? 0 : 1;
        }
        Made found{.outside = -allocations()};
        const Switch dataplane(settings, [&](WorkerIndex worker, const auto& make) {
            const int before = allocations();
            make();
            found.on.at(worker) += allocations() - before;
        });
        found.outside += allocations() - found.on[0] - found.on[1];
        return found;
    };
    const Made six_and_two = made(8, 6);
    const Made five_and_three = made(8, 5);
    EXPECT_GT(six_and_two.on[0], five_and_three.on[0]);
    EXPECT_EQ(six_and_two.on[0] - five_and_three.on[0], five_and_three.on[1] - six_and_two.on[1]);
    constexpr int of_growing_tables = 4;
    EXPECT_LE(made(16, 8).outside - six_and_two.outside, of_growing_tables);
}

// Everything a worker calls, at ordinary load, overload, floods, pauses, link loss and change of
// settings.
TEST(Allocations, TheFramePathMakesNone) {
    constexpr std::size_t ports = 8;
    Settings settings;
    settings.ports.resize(ports);
    settings.workers = 2;
    settings.buffer.size = 512_KiB;
    settings.fdb.capacity = 1024;
    for (PortIndex port = 0; port < ports; ++port) {
        settings.ports[port].worker = port % 2;
        settings.ports[port].pfc.lossless = 0b0000'1000;
        settings.ports[port].pfc.headroom = 16_KiB;
        settings.ports[port].scheduler.discipline.fill(Discipline::dwrr);
        settings.ports[port].rate = port % 3 == 0 ? 10_Gbps : BitsPerSecond(0);
        settings.ports[port].sflow_one_in = port % 2 == 0 ? 3 : 0;
    }
    std::vector<test::Octets> octets;
    for (unsigned n = 0; n < max_burst; ++n) {
        octets.push_back(octets_of({.to = n % 8 == 0 ? test::broadcast : station(n % 9),
                                    .from = station(n % 5),
                                    .tag = test::Tag{.vlan = 1, .pcp = static_cast<uint8_t>(n % 8)},
                                    .length = 60 + 20 * n}));
    }
    octets[5] = test::hex("00");
    octets[6] = test::hex(
        "0180c2000001 020000000100 8808 0101 0008"
        "0000 0000 0000 0010 0000 0000 0000 0000");
    Settings other = settings;
    other.fabric.rule = CrossbarRule::weighted;
    other.ports[3].scheduler.discipline.fill(Discipline::wrr);

    const int before_start = allocations();
    Switch dataplane(settings);
    EXPECT_GT(allocations(), before_start);
    for (PortIndex port = 0; port < ports; ++port) dataplane.set_link(port, true);

    std::array<Frame, max_burst> burst;
    std::array<uint8_t, pause_frame_octets> pause;
    Released released;
    const int before = allocations();
    for (int poll = 0; poll < 2000; ++poll) {
        const Nanos now = 1_s + 10_us * poll;
        for (PortIndex port = 0; port < ports; ++port) {
            for (std::size_t n = 0; n < max_burst; ++n) {
                burst[n] = Frame{.handle = &octets[n],
                                 .data = octets[n].data(),
                                 .length = static_cast<uint16_t>(octets[n].size())};
            }
            released.clear();
            dataplane.shard_of(port).receive(port, burst, now, released);
        }
        for (int slot = 0; slot < 4; ++slot) {
            dataplane.shard(0).match();
            dataplane.shard(0).transfer();
            dataplane.shard(1).transfer();
        }
        for (PortIndex port = 0; port < ports; ++port) {
            if (dataplane.shard_of(port).pause_frame(port, pause, now))
                dataplane.shard_of(port).pause_frame_sent(port, now);
            const std::size_t chosen = dataplane.shard_of(port).transmit(port, burst, now);
            dataplane.shard_of(port).confirm(port, std::span(burst).first(chosen), chosen / 2);
        }
        for (WorkerIndex worker = 0; worker < 2; ++worker) {
            released.clear();
            dataplane.shard(worker).housekeep(now, released);
        }
        if (poll % 100 == 50) {
            dataplane.set_link(2, poll % 200 == 50);
            dataplane.shard(0).adopt(poll % 200 == 50 ? other : settings);
            dataplane.shard(1).adopt(poll % 200 == 50 ? other : settings);
            dataplane.flush_fdb();
        }
    }
    dataplane.shard(0).release_peers();
    released.clear();
    dataplane.shard(0).flush(released);
    EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace sluice

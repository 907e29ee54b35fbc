// RFC 2889, benchmarking of LAN switches, at small scale and in steps in place of seconds: in each
// step a port receives as many frames as it can send. What the RFC measures is what is asserted:
// nothing is lost below the rate of a port, what must be filtered is, and what is learned is not
// flooded. On ring ports, with a clock: tests/bench/rfc2889.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::broadcast;
using test::Octets;
using test::octets_of;
using test::Rig;
using test::station;

constexpr std::size_t frames_a_step = 8;

Settings learning(std::size_t ports, uint8_t workers = 1) {
    Settings settings = test::settings_of(ports, workers);
    settings.fdb.static_entries.clear();
    return settings;
}

// A switch between stations, one a port, which it knows.
class Bench {
  public:
    explicit Bench(const Settings& settings) : rig(settings), ports(settings.ports.size()) {
        for (PortIndex port = 0; port < ports; ++port) {
            rig.receive(port, "x", {.to = broadcast, .from = station(port)});
        }
        rig.run();
        for (PortIndex port = 0; port < ports; ++port) rig.sent_now(port);
    }
    // Offers one step of frames from `input`, to each of `outputs` in turn.
    void offer(PortIndex input, const std::vector<PortIndex>& outputs) {
        std::vector<Octets> burst;
        for (std::size_t n = 0; n < frames_a_step; ++n) {
            std::size_t& turn = turn_[input];
            const PortIndex output = outputs[turn++ % outputs.size()];
            burst.push_back(octets_of({.to = station(output), .from = station(input)}));
            ++offered_[output];
        }
        rig.receive(input, std::move(burst));
    }
    // Every port but itself, beginning with the next.
    [[nodiscard]] std::vector<PortIndex> others(PortIndex self) const {
        std::vector<PortIndex> list;
        for (std::size_t n = 1; n < ports; ++n) {
            list.push_back(static_cast<PortIndex>((self + n) % ports));
        }
        return list;
    }
    // Each port sends the frames of one step.
    void step() {
        while (rig.slot() > 0) continue;
        for (PortIndex port = 0; port < ports; ++port) {
            rig.transmit(port, frames_a_step, frames_a_step);
        }
        rig.housekeep();
    }
    // Expects all frames offered for `output`, in order for each input.
    void expect_all(PortIndex output) const {
        EXPECT_EQ(rig.departures(output).size(), offered(output)) << int{output};
        std::map<PortIndex, uint32_t> last;
        for (const test::Departure& departure : rig.departures(output)) {
            EXPECT_LT(last[departure.input], departure.buffer->number);
            last[departure.input] = departure.buffer->number;
        }
    }
    [[nodiscard]] std::size_t offered(PortIndex output) const {
        const auto found = offered_.find(output);
        return found == offered_.end() ? 0 : found->second;
    }
    [[nodiscard]] uint64_t dropped() const { return ledger_of(rig.dataplane).dropped; }

    Rig rig;
    std::size_t ports;

  private:
    std::map<PortIndex, std::size_t> turn_;
    std::map<PortIndex, std::size_t> offered_;
};

TEST(Rfc2889, FullyMeshedNothingIsLost) {  // 5.1
    for (const uint8_t workers : {uint8_t{1}, uint8_t{2}}) {
        Bench bench(learning(8, workers));
        for (int step = 0; step < 140; ++step) {
            for (PortIndex port = 0; port < 8; ++port) bench.offer(port, bench.others(port));
            bench.step();
        }
        bench.rig.run();
        for (PortIndex port = 0; port < 8; ++port) bench.expect_all(port);
        EXPECT_EQ(bench.dropped(), 0U);
        EXPECT_TRUE(bench.rig.at_rest());
    }
}

TEST(Rfc2889, OneToManyNothingIsLost) {  // 5.2
    Bench bench(learning(8));
    for (int step = 0; step < 140; ++step) {
        bench.offer(0, bench.others(0));
        bench.step();
    }
    bench.rig.run();
    for (PortIndex port = 1; port < 8; ++port) bench.expect_all(port);
    EXPECT_EQ(bench.dropped(), 0U);
    EXPECT_TRUE(bench.rig.at_rest());
}

// Seven ports for one, each every seventh step: as much as it can send.
TEST(Rfc2889, ManyToOneNothingIsLostAtItsRate) {  // 5.2
    Bench bench(learning(8));
    for (std::size_t step = 0; step < 210; ++step) {
        bench.offer(static_cast<PortIndex>(1 + step % 7), {0});
        bench.step();
    }
    bench.rig.run();
    bench.expect_all(0);
    EXPECT_EQ(bench.dropped(), 0U);
    EXPECT_TRUE(bench.rig.at_rest());
}

// Twice the output's rate: the port sends at its rate, the queue is bounded, the rest is counted as
// dropped.
TEST(Rfc2889, ManyToOneBeyondItsRateSendsAtItsRate) {  // 5.2
    Settings settings = learning(3);
    settings.buffer.size = 64_KiB;
    Bench bench(settings);
    constexpr std::size_t steps = 200;
    for (std::size_t step = 0; step < steps; ++step) {
        bench.offer(1, {0});
        bench.offer(2, {0});
        bench.step();
    }
    EXPECT_GE(bench.rig.departures(0).size(), (steps - 1) * frames_a_step);
    bench.rig.run();
    EXPECT_GT(bench.dropped(), 0U);
    EXPECT_EQ(bench.rig.departures(0).size() + bench.dropped(), bench.offered(0));
    EXPECT_TRUE(bench.rig.at_rest());
}

// Half of the ports are on either side; each sends to all ports of the other side.
TEST(Rfc2889, PartiallyMeshedNothingIsLost) {  // 5.3, and one way 5.4
    Bench bench(learning(8));
    for (int step = 0; step < 80; ++step) {
        for (PortIndex port = 0; port < 4; ++port) bench.offer(port, {4, 5, 6, 7});
        for (PortIndex port = 4; step >= 40 && port < 8; ++port) bench.offer(port, {0, 1, 2, 3});
        bench.step();
    }
    bench.rig.run();
    for (PortIndex port = 0; port < 8; ++port) bench.expect_all(port);
    EXPECT_EQ(bench.dropped(), 0U);
    EXPECT_TRUE(bench.rig.at_rest());
}

// One output has twice its rate; frames from the same inputs to other outputs are not lost.
TEST(Rfc2889, ACongestedPortHoldsUpNoOther) {  // 5.5
    Settings settings = learning(4);
    settings.buffer.size = 64_KiB;
    Bench bench(settings);
    for (int step = 0; step < 200; ++step) {
        bench.offer(0, {2, 3});
        bench.offer(1, {2});
        bench.offer(1, {2});
        bench.step();
    }
    bench.rig.run();
    bench.expect_all(3);
    EXPECT_LT(bench.rig.departures(2).size(), bench.offered(2));
    EXPECT_TRUE(bench.rig.at_rest());
}

// --- addresses -----------------------------------------------------------------------------------

// Addresses are learned at port 1 and tested from port 0; floods are seen at port 2.
std::size_t flooded_of(uint32_t addresses, Settings settings) {
    Rig rig(settings);
    for (unsigned host = 0; host < addresses; ++host) {
        rig.receive(1, "l", {.to = station(0), .from = station(1000 + host)});
        if (host % 64 == 63) rig.poll();
    }
    rig.run();
    rig.sent_now(2);
    for (unsigned host = 0; host < addresses; ++host) {
        rig.receive(0, "t", {.to = station(1000 + host), .from = station(0)});
        if (host % 64 == 63) rig.run();
    }
    rig.run();
    EXPECT_EQ(rig.sent(1).size(), addresses);
    EXPECT_TRUE(rig.at_rest());
    return rig.sent(2).size();
}

TEST(Rfc2889, AsManyAddressesAreCachedAsWasPromised) {  // 5.7
    for (const uint32_t capacity : {64U, 1000U, 4096U}) {
        Settings settings = learning(3);
        settings.fdb.capacity = capacity;
        settings.fdb.static_entries = {{.vlan = 1, .address = station(0), .port = 0}};
        EXPECT_EQ(flooded_of(capacity - 1, settings), 0U);
        EXPECT_EQ(flooded_of(capacity + 9, settings), 10U);
    }
}

// Whole bursts of new sources, one after another: the next frame to any of them is not flooded.
TEST(Rfc2889, EveryAddressOfABurstIsLearned) {  // 5.8
    for (const uint8_t workers : {uint8_t{1}, uint8_t{2}}) {
        Settings settings = learning(3, workers);
        settings.fdb.capacity = 16384;
        Rig rig(settings);
        constexpr std::size_t bursts = 64;
        unsigned next_host = 1000;
        for (std::size_t burst = 0; burst < bursts; ++burst) {
            std::vector<Octets> strangers;
            std::vector<Octets> for_them;
            for (std::size_t n = 0; n < max_burst; ++n) {
                const MacAddress host = station(next_host++);
                strangers.push_back(octets_of({.to = broadcast, .from = host}));
                for_them.push_back(octets_of({.to = host, .from = station(0)}));
            }
            rig.receive(1, std::move(strangers));
            rig.poll();
            rig.receive(0, std::move(for_them));
            rig.run();
        }
        EXPECT_EQ(rig.departures(1).size(), bursts * max_burst);
        EXPECT_EQ(rig.departures(2).size(), bursts * max_burst);  // the broadcasts alone
        EXPECT_EQ(rig.dataplane.fdb().full(), 0U);
        EXPECT_TRUE(rig.at_rest());
    }
}

// --- frames that are not to be forwarded ---------------------------------------------------------

struct Errored {
    Drop reason;
    Octets octets;
};

// Among good frames, and nothing of them is learned. A wrong FCS ends at the device.
TEST(Rfc2889, ErroredFramesAreCountedAndFiltered) {  // 5.9
    const Octets good = octets_of({.to = station(1), .from = station(0)});
    const auto cut = [](uint16_t ether_type, std::size_t length) {
        Octets octets = octets_of({.to = station(1), .from = station(9), .ether_type = ether_type});
        octets.resize(length);
        return octets;
    };
    std::vector<Errored> all;
    for (std::size_t length = 1; length < 14; ++length) {
        all.push_back({Drop::runt, cut(0x88B5, length)});
    }
    for (std::size_t length = 14; length < 18; ++length) {
        all.push_back({Drop::truncated_tag, cut(0x8100, length)});
        all.push_back({Drop::truncated_tag, cut(0x88A8, length)});
    }
    all.push_back({Drop::truncated_ip, cut(0x0800, 20)});
    all.push_back({Drop::truncated_ip, cut(0x86DD, 53)});
    for (const std::size_t length : {1523U, 2000U, 9000U}) {
        all.push_back(
            {Drop::oversize, octets_of({.to = station(1), .from = station(9), .length = length})});
    }
    all.push_back({Drop::group_source, octets_of({.to = station(1), .from = broadcast})});

    Bench bench(learning(3));
    Rig& rig = bench.rig;
    std::map<Drop, uint64_t> expected;
    for (const Errored& errored : all) {
        rig.receive(0, {good, errored.octets, good});
        ++expected[errored.reason];
    }
    rig.run();
    EXPECT_EQ(rig.departures(1).size(), 2 * all.size());
    EXPECT_EQ(rig.departures(2).size(), 0U);
    for (const auto& [reason, frames] : expected) {
        EXPECT_EQ(rig.drops(0, reason), frames) << name_of(reason);
    }
    EXPECT_EQ(bench.dropped(), all.size());
    EXPECT_EQ(rig.dataplane.fdb().size(), 3U);
    EXPECT_TRUE(rig.at_rest());
}

TEST(Rfc2889, TheShortestAndTheLongestFramePass) {  // 5.9
    Bench bench(learning(3));
    for (const std::size_t length : {14U, 59U, 60U, 1514U, 1522U}) {
        bench.rig.receive(0, "g", {.to = station(1), .from = station(0), .length = length});
    }
    bench.rig.run();
    EXPECT_EQ(bench.rig.sent(1), "ggggg");
    EXPECT_EQ(bench.dropped(), 0U);
}

TEST(Rfc2889, EveryBroadcastReachesEveryOtherPort) {  // 5.10
    Bench bench(learning(8));
    constexpr std::size_t steps = 50;
    for (std::size_t step = 0; step < steps; ++step) {
        bench.rig.receive(3, std::string(frames_a_step, 'b'),
                          {.to = broadcast, .from = station(3)});
        bench.step();
    }
    bench.rig.run();
    for (PortIndex port = 0; port < 8; ++port) {
        EXPECT_EQ(bench.rig.sent(port).size(), port == 3 ? 0U : steps * frames_a_step);
    }
    EXPECT_EQ(bench.dropped(), 0U);
    EXPECT_TRUE(bench.rig.at_rest());
}

}  // namespace
}  // namespace sluice

// Virtual time, the paces of sources, and packets that several hold.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dataplane/ledger.h"
#include "tools/sim/network/host.h"
#include "tools/sim/network/network.h"
#include "tools/sim/network/pace.h"
#include "tools/sim/network/switch_node.h"

namespace sluice::sim {
namespace {

// Notes when it looked, in letters of its own.
class Noter : public Actor {
  public:
    Noter(Network& network, std::string& notes, char name)
        : network_(network), notes_(notes), name_(name) {}
    void look() override {
        notes_ += name_ + std::to_string(network_.now().count()) + ' ';
        network_.call_at_end_of_moment(*this);
    }
    void end_of_moment() override { notes_ += '.'; }

  private:
    Network& network_;
    std::string& notes_;
    char name_;
};

TEST(NetworkTest, EventsOfOneMomentAreInOrderAndThenItIsSettled) {
    Network network;
    std::string notes;
    Noter a(network, notes, 'a');
    Noter b(network, notes, 'b');
    network.look_at(Picos(20), b);
    network.look_at(Picos(10), b);
    network.look_at(Picos(10), a);
    network.run_until(Picos(15));
    EXPECT_EQ(notes, "b10 a10 ..");
    network.run_until(Picos(20));
    EXPECT_EQ(notes, "b10 a10 ..b20 .");
}

TEST(NetworkTest, TimeNeverGoesBack) {
    Network network;
    std::string notes;
    Noter a(network, notes, 'a');
    network.run_until(Picos(10));
    network.look_at(Picos(5), a);
    network.run_until(Picos(10));
    EXPECT_EQ(notes, "a10 .");
}

// Returns the frames that hosts 1 to 3 got of two that were flooded, and that nothing was lost.
std::string flooded(const Settings& settings) {
    Network network;
    SwitchNode node(network, settings);
    std::vector<std::unique_ptr<Host>> hosts;
    for (PortIndex port = 0; port < 4; ++port) {
        const MacAddress address{0x0200'0000'0000U + port};
        hosts.push_back(std::make_unique<Host>(network, address, Cable{}.speed));
        connect(*hosts.back(), node.port(port), {});
    }
    Flow flow{.to = {0x0200'0000'0099}, .stops_after_script = true};
    flow.script = {100, 200};
    hosts[0]->sender.add(flow, 0);
    hosts[0]->look();
    network.run_for(Nanos(10'000));
    std::string received;
    for (std::size_t n = 1; n < 4; ++n) received += std::to_string(hosts[n]->sink.received(0));
    EXPECT_EQ(network.packets().out(), 0U);
    EXPECT_EQ(network.packets().given_twice(), 0U);
    EXPECT_EQ(node.dropped_in_all(), 0U);
    return received;
}

TEST(NetworkTest, AFloodedFrameReachesAllAndIsGivenBackOnce) {
    Settings settings;
    settings.ports.resize(4);
    EXPECT_EQ(flooded(settings), "222");
}

// Two of them send it without its tag or with another, in packets of their own.
TEST(NetworkTest, AFloodedFrameLeavesWithTheTagOfEachPort) {
    Settings settings;
    settings.ports.resize(4);
    for (PortIndex port = 0; port < 3; ++port) settings.ports[port].tagging.aware = true;
    settings.ports[2].tagging.type = TagType::service;
    settings.vlan.untagged.fill(only(1));
    EXPECT_EQ(flooded(settings), "222");
}

// The outcome of a run, to be compared with another.
struct Outcome {
    Nanos stormed;        // for so long
    uint64_t events = 0;  // of the network
    Ledger ledger;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

// The storm of a queue after 3 ms, at a switch whose first frame comes at 250 us and whose
// watchdogs look every millisecond from the start.
Outcome storm_by_3_ms(Built built) {
    Network network;
    Settings settings;
    settings.ports.resize(2);
    for (PortSettings& port : settings.ports) {
        port.pfc.lossless = only_priority(3);
        port.pfc.watchdog = {.action = WatchdogAction::alert,
                             .detection = Nanos(1'000'000),
                             .restoration = Nanos(1'000'000),
                             .poll = Nanos(1'000'000)};
    }
    SwitchNode node(network, settings, {}, built);
    Host sender(network, {0x0200'0000'0001}, Cable{}.speed);
    Host pauser(network, {0x0200'0000'0002}, Cable{}.speed);
    connect(sender, node.port(0), {});
    connect(pauser, node.port(1), {});
    network.run_for(Nanos(250'000));
    EXPECT_EQ(node.is_built(), built == Built::at_once);
    pauser.send_pause(3, 0xFFFF);
    network.run_for(Nanos(50'000));
    EXPECT_TRUE(node.is_built());
    Flow flow{.to = {0x0200'0000'0002}, .priority = 3, .stops_after_script = true};
    flow.script = {100};
    sender.sender.add(flow, 0);
    sender.look();
    network.run_for(Nanos(2'700'000));
    return {node.dataplane().egress(1).watchdog().history(3).total(node.now()), network.events(),
            ledger_of(node.dataplane())};
}

TEST(NetworkTest, ASwitchThatIsBuiltByItsFirstFrameDoesTheSame) {
    const auto from_the_start = storm_by_3_ms(Built::at_once);
    EXPECT_EQ(from_the_start.stormed, Nanos(1'000'000));
    EXPECT_EQ(from_the_start.ledger.waiting, 1U);
    EXPECT_TRUE(storm_by_3_ms(Built::by_first_frame) == from_the_start);
}

// The order of arrivals behind two switches whose first frames come at one moment, the second's
// first, and a whole number of housekeeping periods after the start; and the number of events.
std::pair<std::string, uint64_t> arrivals_by_two(Built built) {
    constexpr Picos first = picos(SwitchNode::housekeeping * 2);
    Network network;
    Settings settings;
    settings.ports.resize(2);
    std::string order;
    std::vector<std::unique_ptr<SwitchNode>> nodes;
    std::vector<std::unique_ptr<Host>> hosts;
    for (std::size_t n = 0; n < 2; ++n) {
        nodes.push_back(std::make_unique<SwitchNode>(network, settings, SwitchTiming{}, built));
        for (PortIndex port = 0; port < 2; ++port) {
            const MacAddress address{0x0200'0000'0001U + port};
            hosts.push_back(std::make_unique<Host>(network, address, Cable{}.speed));
            connect(*hosts.back(), nodes[n]->port(port), {});
        }
        hosts.back()->on_arrival = [&order, &network, n](const Packet&) {
            order += std::to_string(n) + ' ' + std::to_string(network.now().count()) + ' ';
        };
    }
    const Bytes without_gap = on_wire_of(Bytes(100)) - gap;
    network.run_until(first - Cable{}.time_of(without_gap) - Cable{}.delay());
    for (const std::size_t n : {2U, 0U}) {
        Flow flow{.to = {0x0200'0000'0002}, .stops_after_script = true};
        flow.script = {100};
        hosts[n]->sender.add(flow, 0);
        hosts[n]->look();
    }
    network.run_until(first - Picos(1));
    EXPECT_EQ(nodes[0]->is_built(), built == Built::at_once);
    network.run_until(first);
    EXPECT_TRUE(nodes[0]->is_built() && nodes[1]->is_built());
    network.run_for(Nanos(250'000));
    return {order, network.events()};
}

TEST(NetworkTest, SwitchesThatTheirFirstFramesBuildKeepTheOrderOfAMoment) {
    const auto from_the_start = arrivals_by_two(Built::at_once);
    EXPECT_EQ(from_the_start.first.substr(0, 1), "0") << "they are polled as they looked";
    EXPECT_EQ(arrivals_by_two(Built::by_first_frame), from_the_start);
}

// A switch that no frame has come to.
class SwitchBeforeItsFirstFrame : public testing::Test {
  protected:
    SwitchBeforeItsFirstFrame() { network.run_for(Nanos(250'000)); }

    static Settings two_ports() {
        Settings settings;
        settings.ports.resize(2);
        return settings;
    }

    Network network;
    SwitchNode node{network, two_ports(), {}, Built::by_first_frame};
};

TEST_F(SwitchBeforeItsFirstFrame, IsBuiltToBeLookedIntoForThatTimeAlone) {
    std::size_t looks = 0;
    node.look_into([&](const Switch& dataplane) {
        ++looks;
        EXPECT_TRUE(ledger_of(dataplane) == Ledger{});
    });
    EXPECT_EQ(looks, 1U);
    EXPECT_FALSE(node.is_built());
}

TEST_F(SwitchBeforeItsFirstFrame, IsBuiltByNewSettings) {
    Settings next = two_ports();
    next.ports[1].pfc.lossless = only_priority(3);
    node.adopt(next);
    ASSERT_TRUE(node.is_built());
    EXPECT_EQ(node.dataplane().ingress(1).settings().pfc.lossless, only_priority(3));
}

TEST(PaceTest, PulsesAreExact) {
    // A frame of 100 octets takes 80 ns of the wire at 10 Gb/s.
    Schedule schedule({.pace = Pace::pulses,
                       .rate = BitsPerSecond(10'000'000'000),
                       .start = Picos(1000),
                       .stop = Picos(1'000'000),
                       .on = Picos(160'000),
                       .off = Picos(500'000)},
                      1);
    std::vector<int64_t> due;
    for (; schedule.due() != Schedule::never; schedule.advance(Bytes(100))) {
        due.push_back(schedule.due().count());
    }
    EXPECT_EQ(due, (std::vector<int64_t>{1000, 81'000, 661'000, 741'000}));
}

TEST(PaceTest, DrawsOfTheExponentialDistributionAreSo) {
    Random random(1);
    constexpr int count = 200'000;
    double sum = 0;
    double squares = 0;
    int beyond = 0;
    for (int n = 0; n < count; ++n) {
        const double drawn = static_cast<double>(draw_exponential(random)) / 4294967296.0;
        sum += drawn;
        squares += drawn * drawn;
        beyond += drawn > 3 ? 1 : 0;
    }
    EXPECT_NEAR(sum / count, 1, 0.01);
    EXPECT_NEAR(squares / count, 2, 0.05);
    EXPECT_NEAR(static_cast<double>(beyond) / count, 0.0498, 0.002) << "e^-3";
}

TEST(PaceTest, BernoulliFillsItsShareOfFrameTimesIndependently) {
    Schedule schedule({.pace = Pace::bernoulli,
                       .rate = BitsPerSecond(3'000'000'000),
                       .stop = picos(Nanos(8'000'000)),
                       .wire = BitsPerSecond(10'000'000'000),
                       .slot = Bytes(100)},
                      1);
    // A frame of 100 octets takes 80 ns of the wire, so there are 100,000 slots.
    int frames = 0;
    int neighbours = 0;
    Picos last;
    for (; schedule.due() != Schedule::never; schedule.advance(Bytes(100))) {
        ASSERT_EQ(schedule.due().count() % 80'000, 0) << "between two slots";
        ++frames;
        neighbours += schedule.due() == last + Picos(80'000) ? 1 : 0;
        last = schedule.due();
    }
    EXPECT_NEAR(frames, 30'000, 500);
    EXPECT_NEAR(neighbours, 9'000, 350) << "0.3 of them follow another at once";
}

TEST(PaceTest, BernoulliAtTheSpeedOfTheWireFillsIt) {
    Schedule schedule({.pace = Pace::bernoulli,
                       .rate = BitsPerSecond(10'000'000'000),
                       .wire = BitsPerSecond(10'000'000'000),
                       .slot = Bytes(100)},
                      1);
    for (int n = 0; n < 1000; ++n) {
        EXPECT_EQ(schedule.due(), Picos(80'000) * n);
        schedule.advance(Bytes(100));
    }
}

TEST(PaceTest, BurstsSendTheirShareOfTheTime) {
    Schedule schedule({.pace = Pace::bursts,
                       .rate = BitsPerSecond(10'000'000'000),
                       .stop = Picos(100'000'000'000),
                       .on = Picos(10'000'000),
                       .off = Picos(30'000'000)},
                      1);
    int frames = 0;
    for (; schedule.due() != Schedule::never; schedule.advance(Bytes(100))) ++frames;
    // A quarter of 1.25 million; a burst ends with the frame that is on the wire.
    EXPECT_NEAR(frames, 312'500, 10'000);
}

}  // namespace
}  // namespace sluice::sim

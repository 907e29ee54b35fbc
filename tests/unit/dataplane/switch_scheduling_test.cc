// Who leaves a port and how fast, of the whole switch polled as workers poll it: shares of DWRR
// and WRR, strict priority and the shaper, where more comes than leaves.
#include <gtest/gtest.h>

#include <array>

#include "tests/support/both_ways.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;
using test::Rig;

constexpr PortIndex output = 3;

// Octets that left by priority.
std::array<double, max_priorities> sent(const Rig& rig) {
    std::array<double, max_priorities> octets{};
    for (const test::Departure& departure : rig.departures(output)) {
        octets[departure.priority] += static_cast<double>(departure.buffer->octets.size());
    }
    return octets;
}

class SwitchScheduling : public test::BothWays {
  protected:
    // Priorities 0 and 3 share the output; the others are strict.
    static Settings shared(Discipline discipline, uint16_t weight_of_0 = 1,
                           uint16_t weight_of_3 = 3) {
        Settings settings = settings_of(4);
        SchedulerSettings& scheduler = settings.ports[output].scheduler;
        scheduler.discipline[0] = scheduler.discipline[3] = discipline;
        scheduler.weight[0] = weight_of_0;
        scheduler.weight[3] = weight_of_3;
        return settings;
    }
    static test::FrameSpec spec(PortIndex from, uint8_t priority, std::size_t length) {
        test::FrameSpec spec = test::to(output, priority, from);
        spec.length = length;
        return spec;
    }
    // Each poll 16 of a priority come by each of two ports, and fewer leave.
    static void overload(Rig& rig, std::size_t length_of_0, std::size_t length_of_3, int polls,
                         std::size_t takes = 4) {
        for (; polls > 0; --polls) {
            for (PortIndex from = 0; from < 2; ++from) {
                std::vector<test::Octets> burst(16, octets_of(spec(from, 0, length_of_0)));
                burst.insert(burst.end(), 16, octets_of(spec(from, 3, length_of_3)));
                rig.ports.arrive(from, std::move(burst));
            }
            rig.ports.room[output] = takes;
            rig.poll();
            rig.now += 10_us;
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Ways, SwitchScheduling, testing::Bool(), test::way);

// Frames that the device takes in a poll: less than a quantum, and several, so that a queue at the
// port runs empty while VOQs hold more frames of it.
constexpr std::array<std::size_t, 3> takes = {4, 12, 40};

TEST_P(SwitchScheduling, DwrrSharesByOctets) {
    for (const std::size_t each : takes) {
        Rig rig(shared(Discipline::dwrr));
        overload(rig, 300, 900, 1000, each);
        const auto octets = sent(rig);
        EXPECT_NEAR(octets[0] / (octets[0] + octets[3]), 0.25, 0.003) << each;
        EXPECT_EQ(rig.departures(output).size(), 1000 * each) << "nothing is idle meanwhile";
    }
}

// A visit is more than an egress queue holds.
TEST_P(SwitchScheduling, DwrrSharesByWeightsThatAreLarge) {
    for (const std::size_t each : takes) {
        Rig rig(shared(Discipline::dwrr, 30, 70));
        overload(rig, 600, 900, 4000, each);
        const auto octets = sent(rig);
        EXPECT_NEAR(octets[0] / (octets[0] + octets[3]), 0.3, 0.01) << each;
    }
}

TEST_P(SwitchScheduling, WrrSharesByFrames) {
    for (const std::size_t each : takes) {
        Rig rig(shared(Discipline::wrr));
        overload(rig, 300, 900, 1000, each);
        const auto octets = sent(rig);
        EXPECT_NEAR(octets[0] / 300 / (octets[0] / 300 + octets[3] / 900), 0.25, 0.003) << each;
    }
}

// It is served before the others, even if some of their frames have bypassed VOQs already.
TEST_P(SwitchScheduling, AStrictPriorityNeverWaitsForThoseThatShare) {
    Rig rig(shared(Discipline::dwrr));
    for (int poll = 0; poll < 200; ++poll) {
        rig.ports.arrive(2, std::vector<test::Octets>(2, octets_of(spec(2, 6, 100))));
        overload(rig, 300, 900, 1);
        EXPECT_EQ(sent(rig)[6], 200.0 * (poll + 1));
    }
}

// 1 Gbps are 125 octets a microsecond, of which each frame takes 24 more than it has.
TEST_P(SwitchScheduling, AShapedPortSendsAtItsRateAndSharesIt) {
    Settings settings = shared(Discipline::dwrr);
    settings.ports[output].rate = 1_Gbps;
    Rig rig(settings);
    const Nanos start = rig.now;
    for (int poll = 0; poll < 2000; ++poll) {
        for (PortIndex from = 0; from < 2; ++from) {
            rig.ports.arrive(from, {octets_of(spec(from, 0, 300)), octets_of(spec(from, 3, 900))});
        }
        rig.poll();
        rig.now += 10_us;
    }
    const auto octets = sent(rig);
    const auto frames = static_cast<double>(rig.departures(output).size());
    const double seconds = static_cast<double>((rig.now - start).count()) * 1e-9;
    EXPECT_NEAR((octets[0] + octets[3] + frames * 24) / seconds, 125e6, 0.01 * 125e6);
    EXPECT_NEAR(octets[0] / (octets[0] + octets[3]), 0.25, 0.01);
}

}  // namespace
}  // namespace sluice

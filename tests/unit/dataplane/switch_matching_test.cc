// What a switch carries that moves one frame a slot, as a crossbar of cells does: by algorithm.
#include <gtest/gtest.h>

#include "dataplane/types/random.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;

constexpr PortIndex ports = 16;

// Returns the share of their rate that the outputs send. In each slot a frame comes to every input:
// in two of three slots for the next port, else for the one after it. No input sends to more than
// two outputs, and no output gets more than it can send: diagonal traffic at full load.
double carried(MatchingAlgorithm algorithm) {
    Settings settings = test::settings_of(ports);
    settings.fabric.algorithm = algorithm;
    settings.fabric.quantum = 1_B;  // one frame, whatever its length
    Switch dataplane(settings);
    std::vector<test::Octets> frames;
    for (PortIndex input = 0; input < ports; ++input) {
        dataplane.set_link(input, true);
        for (PortIndex ahead = 1; ahead <= 2; ++ahead) {
            frames.push_back(test::octets_of({.to = test::station((input + ahead) % ports),
                                              .from = test::station(input),
                                              .length = 1500}));
        }
    }
    Random random(1);
    std::size_t sent = 0;
    constexpr int warmup = 6000;
    constexpr int slots = 6000;
    for (int slot = 0; slot < warmup + slots; ++slot) {
        const Nanos now(1'000'000'000 + slot * 1000);
        for (PortIndex input = 0; input < ports; ++input) {
            test::Octets& octets = frames[input * 2U + (random.next() % 3 == 0 ? 1U : 0U)];
            Frame frame{};
            frame.handle = frame.data = octets.data();
            frame.length = static_cast<uint16_t>(octets.size());
            Released released;
            dataplane.shard_of(input).receive(input, std::span(&frame, 1), now, released);
        }
        dataplane.shard(0).match();
        dataplane.shard(0).transfer();
        for (PortIndex output = 0; output < ports; ++output) {
            std::array<Frame, 1> burst;
            const std::size_t count = dataplane.shard_of(output).transmit(output, burst, now);
            dataplane.shard_of(output).confirm(output, std::span(burst).first(count), count);
            if (slot >= warmup) sent += count;
        }
    }
    return static_cast<double>(sent) / (slots * ports);
}

TEST(SwitchMatching, SerenaCarriesDiagonalTrafficThatIslipDoesNot) {
    const double islip = carried(MatchingAlgorithm::islip);
    EXPECT_GT(islip, 0.75);
    EXPECT_LT(islip, 0.88);
    EXPECT_GT(carried(MatchingAlgorithm::serena), 0.95);
}

// No request that could be served is left: a match without a pair means that there is none.
TEST(SwitchMatching, SerenaLeavesNothingBehind) {
    Settings settings = test::settings_of(4);
    settings.fabric.algorithm = MatchingAlgorithm::serena;
    test::Rig rig(settings);
    for (PortIndex input = 0; input < 4; ++input) {
        for (unsigned output = 0; output < 4; ++output) {
            if (input == output) continue;
            rig.receive(input, "abcdefgh",
                        {.to = test::station(output), .from = test::station(input)});
        }
    }
    rig.run(200);
    EXPECT_TRUE(rig.dataplane.empty());
}

}  // namespace
}  // namespace sluice

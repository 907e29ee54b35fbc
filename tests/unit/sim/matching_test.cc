// What holds of every algorithm's matchings, slot after slot under load.
#include <gtest/gtest.h>

#include <string>

#include "tools/sim/fabric/algorithms.h"
#include "tools/sim/fabric/traffic.h"

namespace sluice::sim {
namespace {

struct Case {
    const char* algorithm;
    bool crossbar;  // an input sends one cell a slot
    bool maximal;   // with as many iterations as ports, no pair could be added
};

class Matchings : public testing::TestWithParam<Case> {};

// A free input has cells for a free output.
bool could_add(const Voqs& voqs, PortSet inputs, PortSet outputs) {
    for (PortIndex output = 0; output < voqs.ports(); ++output) {
        if ((outputs & only(output)) == 0 && (voqs.inputs_for(output) & ~inputs) != 0) return true;
    }
    return false;
}

TEST_P(Matchings, PairWhatWaitsAndNobodyTwice) {
    for (const unsigned ports : {2U, 3U, 7U, 64U}) {
        const Made matcher =
            find_algorithm(GetParam().algorithm)->make({.ports = ports, .iterations = ports});
        Voqs voqs(ports, 200);
        CellTraffic traffic(CellPattern::diagonal, ports, 0.95, 1, 3);
        Arrivals arrivals;
        uint64_t pairs = 0;
        for (Slot now = 0; now < 500; ++now) {
            traffic.next_slot(arrivals);
            for_each_port(arrivals.inputs, [&](PortIndex input) {
                ASSERT_TRUE(voqs.push(input, arrivals.output[input], now));
            });
            Matching matching;
            matcher->match(voqs, arrivals, matching);
            PortSet inputs = 0;
            ASSERT_EQ(matching.outputs & ~first_ports(ports), 0U);
            for_each_port(matching.outputs, [&](PortIndex output) {
                const PortIndex input = matching.input_of[output];
                ASSERT_GT(voqs.length(input, output), 0U);
                ASSERT_FALSE(GetParam().crossbar && (inputs & only(input)) != 0);
                inputs |= only(input);
                ++pairs;
            });
            ASSERT_FALSE(GetParam().maximal && could_add(voqs, inputs, matching.outputs));
            for_each_port(matching.outputs,
                          [&](PortIndex output) { voqs.pop(matching.input_of[output], output); });
        }
        EXPECT_GT(pairs, 500U * ports / 2);
    }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Matchings,
                         testing::Values(Case{"islip", true, true}, Case{"pim", true, true},
                                         Case{"rrm", true, true}, Case{"ilqf", true, true},
                                         Case{"mwm", true, true}, Case{"serena", true, true},
                                         Case{"sw_qps", true, false}, Case{"fifo", true, false},
                                         Case{"oq", false, false}),
                         [](const auto& of) { return std::string(of.param.algorithm); });

}  // namespace
}  // namespace sluice::sim

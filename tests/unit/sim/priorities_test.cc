// Priorities: what a switch makes of a PCP, what hosts obey of its pauses, and switches that have
// four of them.
#include "tools/sim/scenario/priorities.h"

#include <gtest/gtest.h>

#include <string>

#include "dataplane/buffer/dynamic_threshold.h"
#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::run;
using test::scenario_of;

std::string text_of(const std::string& words, const std::string& defaults,
                    const std::string& flow) {
    return "switch: {buffer: {size: 512KiB, alpha: 1/64}, " + words + "defaults: {" + defaults +
           "}}\ntopology: {star: {hosts: 4}}\nrun: {time: 2ms}\n"
           "flows: [{from: [h1, h2, h3], to: h0, " +
           flow + "}]\n";
}

TEST(PrioritiesTest, AHostObeysAPauseOfThePriorityThatItsSwitchGivesItsFrames) {
    const std::string maps = "lossless: [3], pcp_to_priority: [0, 1, 2, 2, 4, 3, 6, 7]";
    const NetworkResult mapped = run(text_of("", maps, "priority: 5"));
    EXPECT_GT(mapped.ports[1].tx_pause, 0U);
    EXPECT_EQ(mapped.flows[0].lost, 0U);
    const NetworkResult other = run(text_of("", maps, "priority: 3"));
    EXPECT_EQ(other.ports[1].tx_pause, 0U);
    EXPECT_GT(other.flows[0].lost, 0U);
}

// A host that paused the priority of the received tags would pause a priority that is not sent.
TEST(PrioritiesTest, AHostPausesThePriorityThatItsSwitchSendsItsFramesBy) {
    const NetworkResult result = run(R"(
switch: {defaults: {lossless: [3], pcp_to_priority: [0, 1, 2, 2, 4, 3, 6, 7]}}
topology: {star: {hosts: 2}}
peers: [{hosts: h0, receive: {rate: 2G}}]
run: {time: 5ms}
flows: [{from: h1, to: h0, priority: 5}]
)");
    EXPECT_GT(result.ports[0].rx_pause, 0U);
    EXPECT_EQ(result.flows[0].lost, 0U);
}

TEST(PrioritiesTest, AnAnswerWaitsWhereItsPriorityIsPaused) {
    // h0 answers with PCP 6, which is priority 1: the switch's pause is of that priority.
    const auto with = [](const std::string& maps) {
        return run(R"(
switch: {buffer: {size: 512KiB}, defaults: {lossless: [1], pcp_to_priority: )" +
                   maps + R"(}}
topology: {star: {hosts: 3}}
peers: [{hosts: h2, pauses: {priority: 1, at: 0, for: 1ms}}, {hosts: h1, rate_control: dctcp}]
run: {time: 1ms, drain: 0}
flows: [{from: h1, to: h0}, {from: h0, to: h2, priority: 1}]
)")
            .flows[0];
    };
    EXPECT_GT(with("[0, 1, 2, 3, 4, 5, 6, 7]").received, 700U);
    EXPECT_LT(with("[0, 1, 2, 3, 4, 5, 1, 7]").received, 200U);
}

// --- four ---

TEST(FourPrioritiesTest, TwoPcpsEachShareOneAsTheStandardRecommends) {
    const std::string four = "priorities: 4, ";
    for (const char* const pcp : {"4", "5"}) {
        const NetworkResult result =
            run(text_of(four, "lossless: [2]", "priority: " + std::string(pcp)));
        EXPECT_GT(result.ports[1].tx_pause, 0U) << pcp;
        EXPECT_EQ(result.flows[0].lost, 0U) << pcp;
    }
    EXPECT_GT(run(text_of(four, "lossless: [2]", "priority: 3")).flows[0].lost, 0U);
    EXPECT_GT(run(text_of("", "lossless: [2]", "priority: 4")).flows[0].lost, 0U) << "of eight";
    // Keys that are written take precedence.
    const std::string own = "lossless: [3], pcp_to_priority: [0, 1, 2, 3, 3, 3, 3, 3]";
    EXPECT_EQ(run(text_of(four, own, "priority: 3")).flows[0].lost, 0U);
}

TEST(FourPrioritiesTest, WhatIsReservedIsThatOfFourVoqsAPair) {
    const std::string reserved =
        "topology: {star: {hosts: 4}}\nflows: [{from: h0, to: h1}]\n"
        "switch: {buffer: {size: 1MiB, reserved: 4KiB}, priorities: ";
    const auto shared = [&](const std::string& count) {
        const Settings settings = scenario_of(reserved + count + "}\n").switches[0].settings;
        return shared_size(settings);
    };
    EXPECT_EQ(shared("8"), Bytes(1024 * 1024 - 4 * 4 * 8 * 4096));
    EXPECT_EQ(shared("4"), Bytes(1024 * 1024 - 4 * 4 * 4 * 4096));
}

TEST(FourPrioritiesTest, WhatIsOfMoreIsReported) {
    const auto fault_of = [](const std::string& defaults, const std::string& more = "") {
        const auto read = read_scenario("switch: {priorities: 4, defaults: {" + defaults +
                                            "}}\ntopology: {star: {hosts: 2}}\n" + more +
                                            "flows: [{from: h0, to: h1}]\n",
                                        "f");
        if (read || read.error().size() != 1) return std::string("not one");
        return config::to_string(read.error().front());
    };
    const std::string of_port = "f:1:9: switch: p0 of s0 ";
    const std::string remedy = " above 3, of 4 priorities; write 0 to 3, and no profile";
    EXPECT_EQ(fault_of("lossless: [5]"), of_port + "has lossless" + remedy);
    EXPECT_EQ(fault_of("pcp_to_priority: [0, 1, 2, 3, 4, 3, 3, 3]"),
              of_port + "maps a PCP" + remedy);
    EXPECT_EQ(fault_of("dscp_to_priority: {46: 5}"), of_port + "maps a DSCP" + remedy);
    EXPECT_EQ(fault_of("default_priority: 7"), of_port + "has default_priority" + remedy);
    EXPECT_EQ(fault_of("ecn: {6: {low: 1KiB, high: 2KiB, probability: 1}}"),
              of_port + "has ecn" + remedy);
    EXPECT_EQ(fault_of("lossless: [3]", "peers: [{hosts: h0, pauses: {priority: 6}}]\n"),
              "f:3:8: peers: pause priority 6 at h0, of 4; write 0 to 3");
    const auto five = read_scenario(
        "switch: {priorities: 5}\ntopology: {star: {hosts: 2}}\n"
        "flows: [{from: h0, to: h1}]\n",
        "f");
    ASSERT_FALSE(five.has_value());
    EXPECT_EQ(config::to_string(five.error().front()),
              "f:1:22: switch.priorities: \"5\" is not one of 4, 8; write 4 or 8");
}

}  // namespace
}  // namespace sluice::sim

// What a run says of itself: whether what is offered is carried, and that it ended before its time.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/memory.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::scenario_of;

// For each flow: + it is carried, - more is offered, ? unknown.
std::string carried(const NetworkResult& result) {
    std::string all;
    for (const FlowResult& flow : result.flows) {
        all += !flow.converged ? '?' : *flow.converged ? '+' : '-';
    }
    return all;
}
// Three hosts at 10G, whose switch soon pauses them.
std::string carried(const std::string& flows, const std::string& run = "{}") {
    return carried(
        simulate(scenario_of("topology: {star: {hosts: 3}}\n"
                             "switch: {defaults: {lossless: [3], pfc: {xoff: 16KiB, xon: 8KiB}}}\n"
                             "run: " +
                             run + "\nflows:\n" + flows)));
}

TEST(Converged, IsWhatItsCableCarries) {
    EXPECT_EQ(carried("  - {from: h1, to: h0, priority: 3, rate: 4G}\n"
                      "  - {from: h2, to: h0, priority: 3, rate: 5G, pattern: poisson}\n"),
              "++");
    EXPECT_EQ(carried("  - {from: h1, to: h0, priority: 3}\n"), "+") << "a whole cable, alone";
}

TEST(Converged, IsNotWhatPausesHoldBackForEver) {
    EXPECT_EQ(carried("  - {from: [h1, h2], to: h0, priority: 3, rate: 5500M}\n"
                      "  - {from: h0, to: h1, rate: 1G}\n"),
              "-+");
    EXPECT_EQ(carried("  - {from: [h1, h2], to: h0, priority: 3, rate: 5010M}\n"), "+")
        << "what little is too much, buffers take for so long";
}

TEST(Converged, IsOfTheTimeThatAFlowSends) {
    const std::string late = "  - {from: [h1, h2], to: h0, priority: 3, start: 800us}\n";
    EXPECT_EQ(carried(late), "-");
    const std::string early = "  - {from: [h1, h2], to: h0, priority: 3, stop: 100us}\n";
    EXPECT_EQ(carried(early), "-");
    EXPECT_EQ(carried(early, "{warmup: 200us}"), "+") << "nothing of it is measured";
}

TEST(Converged, SeesTheSamePartOfEachRequest) {
    // From 70 us on, quarters of the remaining time would be 232.5 us and find each request
    // younger.
    const std::string answers =
        "  - {from: [h1, h2], to: h0, priority: 3, pattern: incast, period: 50us, bytes: ";
    EXPECT_EQ(carried(answers + "25000B}\n", "{warmup: 70us}"), "+") << "40 us of each 50";
    EXPECT_EQ(carried(answers + "35000B}\n", "{warmup: 70us}"), "-") << "56 us of each 50";
    EXPECT_EQ(carried(answers + "35000B}\n", "{time: 150us}"), "+") << "too few to judge by";
}

TEST(Converged, AnAllReduceAlwaysIs) {
    EXPECT_EQ(carried("  - {from: all, pattern: all_reduce, bytes: 10MiB, priority: 3}\n"
                      "  - {from: h1, to: h0, priority: 3}\n"),
              "+-");
}

TEST(Stopped, WhenAskedItTellsWhatItHas) {
    const NetworkScenario scenario = scenario_of(
        "run: {time: 10ms, warmup: 50us}\n"
        "topology: {star: {hosts: 3}}\n"
        "switch: {defaults: {lossless: [3]}}\n"
        "flows: [{name: two, from: [h1, h2], to: h0, priority: 3}]\n");
    int asked = 0;
    const NetworkResult result =
        simulate(scenario, {}, Recording::on, [&] { return ++asked == 40; });
    ASSERT_TRUE(result.stopped.has_value());
    EXPECT_EQ(result.stopped->why, Stopped::Why::interrupted);
    EXPECT_EQ(result.stopped->at, result.ended);
    EXPECT_LT(result.ended, Nanos(10'000'000));
    EXPECT_TRUE(result.balanced());
    EXPECT_FALSE(result.stands_still);
    const FlowResult& flow = result.flows[0];
    EXPECT_GT(flow.waiting, 0U);
    EXPECT_EQ(flow.sent, flow.received + flow.lost + flow.waiting);
    EXPECT_NEAR(flow.throughput, 9.8e9, 0.2e9) << "of the time until then";
    EXPECT_EQ(carried(result), "?");
    EXPECT_EQ(result.converged(), std::nullopt);
}

TEST(Stopped, AtItsEndItIsNot) {
    const NetworkScenario scenario =
        scenario_of("topology: {star: {hosts: 2}}\nflows: [{from: h0, to: h1}]\n");
    const NetworkResult result = simulate(scenario);
    EXPECT_FALSE(result.stopped.has_value());
    EXPECT_EQ(result.converged(), true);
}

// 100 km of fibre at 400G hold 300,000 of the shortest frames.
std::string long_fibre(const std::string& memory) {
    return "run: {time: 1ms, memory: " + memory +
           "}\n"
           "cable: {speed: 400G, length: 100km}\n"
           "topology: {star: {hosts: 2}}\n"
           "flows: [{from: h0, to: h1, size: 64B}]\n";
}

TEST(Stopped, BeforeItTakesMoreThanItMay) {
    const NetworkResult result = simulate(scenario_of(long_fibre("16MiB")));
    ASSERT_TRUE(result.stopped.has_value());
    EXPECT_EQ(result.stopped->why, Stopped::Why::out_of_memory);
    EXPECT_GT(result.flows[0].sent, 1'000U);
    EXPECT_LT(result.flows[0].sent, 200'000U);
    EXPECT_TRUE(result.balanced());
    EXPECT_FALSE(simulate(scenario_of(long_fibre("256MiB"))).stopped.has_value());
}

TEST(Memory, IsThatOfBuffersAddressesAndPairs) {
    const auto of = [](const std::string& more) {
        return memory_at_start(scenario_of("topology: {star: {hosts: 4}}\n"
                                           "flows: [{from: all, to: all}]\n" +
                                           more))
            .count();
    };
    const int64_t usual = of("");
    EXPECT_GT(usual, 1'000'000);
    EXPECT_LT(usual, 16'000'000);
    // 21 frames in 512 octets; the default has 64 Ki places, and this 4 Mi.
    const int64_t more = of("switch: {buffer: {size: 1GiB}}") - usual;
    EXPECT_NEAR(static_cast<double>(more), (4'194'304 - 65'536) * 512.0 / 21, 2000);
}

}  // namespace
}  // namespace sluice::sim

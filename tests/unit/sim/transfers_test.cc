// Transfers: how long they are drawn, how long each would take alone, to the picosecond, and what
// is reported of how much longer it took.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/empty_path.h"
#include "tools/sim/scenario/flow_sizes.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"
#include "tools/sim/scenario/slowdown.h"

namespace sluice::sim {
namespace {

using test::run;
using test::scenario_of;

TEST(FlowSizesTest, AreDrawnAsTheirTableSays) {
    for (const auto points : {websearch_sizes(), hadoop_sizes()}) {
        const FlowSizes sizes(points);
        Random random(7);
        constexpr int drawn = 100'000;
        std::vector<int> up_to(points.size());
        for (int n = 0; n < drawn; ++n) {
            const int64_t size = sizes.draw(random).count();
            for (std::size_t point = 0; point < points.size(); ++point) {
                if (size <= points[point].octets) ++up_to[point];
            }
        }
        for (std::size_t point = 1; point < points.size(); ++point) {
            EXPECT_NEAR(up_to[point], static_cast<double>(points[point].share) / 10'000 * drawn,
                        600)
                << points[point].octets;
        }
    }
}

// Means of sizes drawn from the tables: 1.7 MB and 120 KB (5.1 of HPCC's authors' generator).
TEST(FlowSizesTest, HaveTheMeanOfTheirTable) {
    const Bytes whole(1'000'000'000);  // of a frame: no second one, and 20 octets round it
    EXPECT_NEAR(static_cast<double>(FlowSizes(websearch_sizes()).mean_on_wire(whole, {}).count()),
                1'711'250 + 20, 10);
    EXPECT_NEAR(static_cast<double>(FlowSizes(hadoop_sizes()).mean_on_wire(whole, {}).count()),
                120'421 + 20, 10);
}

TEST(FlowSizesTest, OfTheWireEachFrameTakesMore) {
    const FlowSizes same(Bytes(2500));
    EXPECT_EQ(same.mean_on_wire(Bytes(1000), {}), Bytes(2560)) << "three frames";
    EXPECT_EQ(same.mean_on_wire(Bytes(1000), Bytes(30)), Bytes(2650)) << "with more round them";
    const auto evenly = std::to_array<SizePoint>({{1, 0}, {2001, 10'000}});
    // 1 to 2000 octets: half of them one frame, half of them two.
    // The last of it is padded to 64: a 1000th of 63 + 62 + ... + 1 octets, 2.
    EXPECT_EQ(FlowSizes(evenly).mean_on_wire(Bytes(1000), {}), Bytes(1032)) << "1032.516";
}

TEST(FlowSizesTest, NoFrameTakesLessOfTheWireThanTheShortest) {
    EXPECT_EQ(FlowSizes(Bytes(1)).mean_on_wire(Bytes(1000), {}), Bytes(84));
    EXPECT_EQ(FlowSizes(Bytes(1001)).mean_on_wire(Bytes(1000), {}), Bytes(1020 + 84));
    EXPECT_EQ(FlowSizes(Bytes(30)).mean_on_wire(Bytes(10), Bytes(12)), Bytes(3 * 84));
    // Messages of 1 to 4 octets in frames of 2: one frame, one, two and two.
    const auto few = std::to_array<SizePoint>({{1, 0}, {5, 10'000}});
    EXPECT_EQ(FlowSizes(few).mean_on_wire(Bytes(2), {}), Bytes(84 * 6 / 4));
}

TEST(SlowdownsTest, TellOfEachTwentiethBySize) {
    Slowdowns slowdowns;
    for (int n = 200; n >= 1; --n) {
        slowdowns.begin();
        slowdowns.finish(Bytes(n), Picos(100 + n), Picos(100));
    }
    slowdowns.begin();
    const SlowdownResult result = slowdowns.result();
    EXPECT_EQ(result.begun, 201U);
    EXPECT_EQ(result.all.transfers, 200U);
    EXPECT_DOUBLE_EQ(result.all.p50, 2.0);
    EXPECT_DOUBLE_EQ(result.all.p99, 2.98);
    ASSERT_EQ(result.parts.size(), 20U);
    EXPECT_EQ(result.parts[0].longest, Bytes(10));
    EXPECT_EQ(result.parts[0].transfers, 10U);
    EXPECT_DOUBLE_EQ(result.parts[0].p50, 1.05);
    EXPECT_DOUBLE_EQ(result.parts[0].p95, 1.10);
    EXPECT_EQ(result.parts[19].longest, Bytes(200));
}

TEST(SlowdownsTest, OfFewEachIsAPartOfItsOwn) {
    Slowdowns slowdowns;
    EXPECT_TRUE(slowdowns.result().parts.empty());
    for (int n = 1; n <= 3; ++n) slowdowns.finish(Bytes(n), Picos(2), Picos(1));
    EXPECT_EQ(slowdowns.result().parts.size(), 3U);
}

// At 10 Gb/s an octet takes 0.8 ns; 0 m take no time.
TEST(EmptyPathTest, IsWorkedOutByHand) {
    const NetworkScenario scenario = scenario_of(R"(
cable: {length: 0}
topology: {chain: {switches: 2, hosts: 1}}
switch: {latency: 300ns}
flows: [{from: h0, to: h1}]
)");
    EmptyPath path(scenario);
    // A frame of 1000 octets and its preamble three times, and two latencies.
    EXPECT_EQ(path.time(0, 1, Bytes(1000), Bytes(1000), {}), Picos(1008 * 800 * 3 + 600'000));
    // Nine before it on the first wire, with their gaps.
    EXPECT_EQ(path.time(0, 1, Bytes(10'000), Bytes(1000), {}),
              Picos(1008 * 800 * 3 + 600'000 + 9 * 1020 * 800));
    // A last frame of 64 octets waits for the longer ones before it on each wire.
    EXPECT_EQ(path.time(0, 1, Bytes(1001), Bytes(1000), {}),
              Picos(1008 * 800 * 2 + 600'000 + 1020 * 800 + 72 * 800));
}

// One transfer after another: each takes as long as alone.
TEST(TransfersTest, AloneATransferIsNotSlowedDown) {
    const std::string flow =
        "flows: [{from: h0, to: all, pattern: transfers, bytes: 200001B, rate: 10M, size: 1000B}]\n"
        "run: {time: 5s, drain: 1s, sample: 100ms}\n";
    for (const std::string network :
         {"topology: {chain: {switches: 3, hosts: 1}}\n",
          "topology: {leaf_spine: {leaves: 2, spines: 2, hosts: 1, trunk: {speed: 1G}}}\n",
          "topology: {fat_tree: {pods: 2, tors: 1, aggregations: 2, cores: 2, hosts: 1, "
          "trunk: {speed: 100G, length: 1km}}}\n"
          "switch: {ways: flow, latency: 500ns, crossbar: 30ns}\n",
          "topology: {star: {hosts: 2}}\nswitch: {forwarding: cut_through, latency: 300ns}\n",
          "topology: {star: {hosts: 2}}\npeers: [{hosts: all, tx_latency: 2us, rx_latency: 1us}]\n",
          "topology: {star: {hosts: 2}}\nswitch: {forwarding: cut_through, "
          "defaults: {trust: [pcp, roce]}}\n"}) {
        const NetworkResult result = run(network + flow);
        ASSERT_TRUE(result.flows[0].slowdown);
        const SlowdownResult& slowdown = *result.flows[0].slowdown;
        EXPECT_GT(slowdown.all.transfers, 15U);
        EXPECT_EQ(slowdown.begun, slowdown.all.transfers);
        EXPECT_DOUBLE_EQ(slowdown.all.p50, 1.0) << network;
    }
}

TEST(TransfersTest, OfferTheRateThatTheyAreToOffer) {
    const NetworkResult result = run(R"(
run: {time: 200ms}
topology: {star: {hosts: 4}}
flows: [{from: [h1, h2, h3], to: h0, pattern: transfers, bytes: 20000B, rate: 1G}]
)");
    EXPECT_NEAR(result.flows[0].throughput, 3e9, 0.15e9);
    EXPECT_EQ(result.flows[0].rounds, result.flows[0].slowdown->all.transfers);
    EXPECT_GT(result.flows[0].mean_round_ns, 0);
    EXPECT_EQ(result.disordered, 0U);
}

TEST(TransfersTest, OfAnOctetEachOfferTheirRateWithThePadding) {
    const NetworkResult result = run(R"(
run: {time: 20ms}
topology: {star: {hosts: 2}}
flows: [{from: h1, to: h0, pattern: transfers, bytes: 1B, rate: 1G}]
)");
    EXPECT_NEAR(result.flows[0].throughput, 1e9 * 64 / 84, 0.02e9);
}

TEST(TransfersTest, AreMeasuredFromTheWarmUpOnAndBeginUntilTheyStop) {
    const auto with = [](const std::string& words) {
        return *run("run: {time: 100ms" + words + R"(}
topology: {star: {hosts: 2}}
flows: [{from: h0, to: h1, pattern: transfers, bytes: 10000B, rate: 1G, stop: 50ms}]
)")
                    .flows[0]
                    .slowdown;
    };
    const uint64_t all = with("").begun;
    EXPECT_NEAR(static_cast<double>(all), 50e-3 * 1e9 / 8 / 10'140, 120);
    EXPECT_NEAR(static_cast<double>(with(", warmup: 25ms").begun), static_cast<double>(all) / 2,
                60);
}

// Each transfer has its own window: it does not know what another has learned.
TEST(TransfersTest, EachHasARateControlOfItsOwn) {
    const NetworkResult result = run(R"(
run: {time: 100ms}
cable: {length: 20km}
topology: {star: {hosts: 2}}
peers: [{hosts: all, rate_control: dctcp}]
flows: [{from: h0, to: h1, pattern: transfers, bytes: 30440B, rate: 100M}]
)");
    // Ten frames, and ten more a round trip of 400 us later.
    const SlowdownResult& slowdown = *result.flows[0].slowdown;
    ASSERT_GT(slowdown.all.transfers, 15U);
    EXPECT_NEAR(result.flows[0].mean_round_ns, 200'000 + 404'000, 20'000);
}

// --- equal ways ---

uint64_t sent_to(const NetworkResult& result, std::string_view node, std::string_view peer) {
    for (const PortResult& port : result.ports) {
        if (port.node == node && port.peer == peer) return port.tx_frames;
    }
    return 0;
}

TEST(WaysTest, FlowsOfTwoHostsTakeAllWaysAndKeepTheirOrder) {
    const auto with = [](const std::string& ways) {
        return run("switch: {ways: " + ways + R"(}
run: {time: 2ms}
topology: {fat_tree: {pods: 2, tors: 1, aggregations: 2, cores: 4, hosts: 1}}
flows: [{from: h0, to: h1, pattern: transfers, bytes: 2000B, rate: 8G, size: 1000B}]
)");
    };
    const NetworkResult by_receiver = with("receiver");
    EXPECT_EQ(sent_to(by_receiver, "tor0", "agg0"), 0U) << "h1 is odd";
    const NetworkResult by_flow = with("flow");
    const double all = static_cast<double>(by_flow.flows[0].sent);
    for (const auto& [node, peer, share] : {std::tuple{"tor0", "agg0", 0.5},
                                            {"tor0", "agg1", 0.5},
                                            {"agg0", "core0", 0.25},
                                            {"agg0", "core1", 0.25},
                                            {"agg1", "core2", 0.25},
                                            {"agg1", "core3", 0.25}}) {
        EXPECT_NEAR(static_cast<double>(sent_to(by_flow, node, peer)) / all, share, 0.06)
            << node << ' ' << peer;
    }
    EXPECT_EQ(by_flow.disordered, 0U);
    EXPECT_EQ(by_flow.flows[0].lost, 0U);
}

}  // namespace
}  // namespace sluice::sim

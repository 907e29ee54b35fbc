// FatTree: a three-tier k-ary fat tree of k = 4, counted, walked by a frame of every host to every
// other, and loaded: k pods of k/2 tors and k/2 aggregations, k k/4 cores, k k k/4 hosts.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "tests/unit/sim/scenario_of.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

using test::run;
using test::scenario_of;

constexpr std::size_t hosts = 16;
const std::string four_ary =
    "topology: {fat_tree: {pods: 4, tors: 2, aggregations: 2, cores: 4, hosts: 2}}\n"
    "switch: {ways: flow}\n";

TEST(FatTreeTest, OfFourPodsHasTheSwitchesHostsAndLinksOfTheTextbook) {
    const NetworkScenario tree =
        scenario_of(four_ary + "flows: [{from: all, to: all, rate: 1G}]\n");
    std::map<std::string, int> tiers;
    for (const SwitchSpec& node : tree.switches) {
        ++tiers[node.name.substr(0, node.name.find_first_of("0123456789"))];
        EXPECT_EQ(node.ports.size(), 4U) << node.name;
    }
    EXPECT_EQ(tiers, (std::map<std::string, int>{{"agg", 8}, {"core", 4}, {"tor", 8}}));
    EXPECT_EQ(tree.hosts.size(), hosts);
    EXPECT_EQ(tree.links.size() + tree.hosts.size(), 48U) << "each host is at a cable of its own";
}

// Each host sends one frame to each other, one at a time. Cables take no time and switches store,
// so the delay is the frame's serialisation once for each cable: two within a tor, four within a
// pod, else six.
TEST(FatTreeTest, EachHostReachesEachByAShortestWay) {
    std::string text = four_ary + "cable: {speed: 10G, length: 0}\nrun: {time: 600us}\nflows:\n";
    for (std::size_t from = 0; from < hosts; ++from) {
        for (std::size_t to = 0; to < hosts; ++to) {
            if (from == to) continue;
            text += fmt::format(
                "  - {{name: {0}-{1}, from: h{0}, to: h{1}, pattern: incast, bytes: 1000B, "
                "size: 1000B, start: {2}us}}\n",
                from, to, 2 * (from * hosts + to));
        }
    }
    const NetworkResult result = run(text);
    std::map<int, int> flows_by_cables;
    for (const FlowResult& flow : result.flows) {
        const std::size_t dash = flow.name.find('-');
        const std::size_t from = std::stoul(flow.name.substr(0, dash));
        const std::size_t to = std::stoul(flow.name.substr(dash + 1));
        EXPECT_EQ(flow.received, 1U) << flow.name;
        const double cables = flow.mean_delay_ns / (1008 * 0.8);
        EXPECT_NEAR(cables, from / 2 == to / 2 ? 2 : from / 4 == to / 4 ? 4 : 6, 1e-9) << flow.name;
        ++flows_by_cables[static_cast<int>(std::lround(cables))];
    }
    EXPECT_EQ(flows_by_cables, (std::map<int, int>{{2, 16}, {4, 32}, {6, 192}}));
}

// At every switch each of the equal paths upwards carries the same share; so all cores carry the
// same, and frames for a tor come by both aggregations.
TEST(FatTreeTest, LoadIsEqualOverEqualWays) {
    const NetworkResult result = run(four_ary + R"(
run: {time: 20ms}
flows: [{from: all, to: all, pattern: transfers, bytes: 1000B, size: 1000B, rate: 3G}]
)");
    EXPECT_EQ(result.flows[0].lost, 0U);
    EXPECT_EQ(result.flows[0].received, result.flows[0].sent);
    // By the tiers at both ends: the fewest and the most frames of an output.
    std::map<std::string, std::pair<uint64_t, uint64_t>> between;
    std::map<std::string, int> cables;
    for (const PortResult& port : result.ports) {
        const auto tier = [](const std::string& name) {
            return name.substr(0, name.find_first_of("0123456789"));
        };
        const std::string ends = tier(port.node) + " to " + tier(port.peer);
        auto [at, is_first] = between.try_emplace(ends, port.tx_frames, port.tx_frames);
        at->second = {std::min(at->second.first, port.tx_frames),
                      std::max(at->second.second, port.tx_frames)};
        ++cables[ends];
    }
    EXPECT_EQ(cables, (std::map<std::string, int>{{"agg to core", 16},
                                                  {"agg to tor", 16},
                                                  {"core to agg", 16},
                                                  {"tor to agg", 16},
                                                  {"tor to h", 16}}));
    for (const auto& [ends, frames] : between) {
        EXPECT_GT(frames.first, 5000U) << ends;
        EXPECT_LT(static_cast<double>(frames.second) / static_cast<double>(frames.first), 1.1)
            << ends;
    }
}

}  // namespace
}  // namespace sluice::sim

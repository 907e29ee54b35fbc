// Compares the HPCC paper with a simulated fat tree at 30 % load: how much longer flows of a Hadoop
// cluster take than in an idle network, under HPCC and the controls of the paper. The paper's plots
// have no numbers, so only the order of the controls is compared.
//
// Uses a tenth of the paper's hosts, so that a figure takes a second; README.md has the table of
// all 320.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/sim/reference/reference.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {

namespace hpcc_slowdown {

constexpr std::string_view source =
    "Li et al. 2019, HPCC: High Precision Congestion Control, 5.3, as of hpcc-group.github.io";

constexpr std::string_view fat_tree = R"(
run: {{time: 6ms, warmup: 100us, seed: 2}}
cable: {{speed: 100G, length: 198m}}
topology:
  fat_tree: {{pods: 2, tors: 2, aggregations: 2, cores: 4, hosts: 8, trunk: {{speed: 400G}}}}
switch:
  ways: flow
  buffer: {{size: 32MiB, cell: 256B}}
  defaults:
    lossless: [3]
    pfc: {{xoff: 2MiB, xon: 1536KiB}}
    ecn: {{3: {{{}}}}}
peers:
  - {{hosts: all, {}}}
flows:
  - {{from: all, to: all, priority: 3, ecn: true, pattern: transfers, sizes: hadoop,
     rate: 30G, size: 1048B, stop: 2ms}}
)";

struct Law {
    std::string_view name;
    std::string_view peer;
    std::string_view ecn = "low: 400000B, high: 1600000B, probability: 0.2";
};

// Settings from the authors' run.py.
constexpr Law hpcc{"HPCC", "rate_control: hpcc, hpcc: {stages: 0}, ack_priority: 3"};
constexpr std::array others = {
    Law{"DCTCP",
        "rate_control: dctcp, dctcp: {initial: 162500B, slow_start: false}, ack_priority: 3",
        "low: 300000B, high: 300001B, probability: 1"},
    Law{"DCQCN",
        "rate_control: dcqcn, dcqcn: {increase: timer, cnp_interval: 4us, alpha_timer: 1us, "
        "timer: 300us, additive: 20M, hyper: 200M, fast_recovery: 1, least: 1G}"},
    Law{"TIMELY", "rate_control: timely, timely: {additive: 100M, least: 1G}"},
};

struct Tail {
    double shortest;  // for flows up to 2 KB
    double longer;    // for flows from 2 KB to 200 KB
};

// Returns the 99th percentile of slowdown: the median over groups of equally many flows.
Tail tail_under(const Law& law) {
    const std::string text = fmt::format(fat_tree, law.ecn, law.peer);
    const NetworkResult result = simulate(read_scenario(text, "slowdown").value());
    std::array<std::vector<double>, 2> tails;
    for (const SlowdownPart& part : result.flows.front().slowdown.value().parts) {
        if (part.longest <= Bytes(200'000)) {
            tails[part.longest <= Bytes(2000) ? 0 : 1].push_back(part.p99);
        }
    }
    const auto median = [](std::vector<double>& of) {
        std::ranges::sort(of);
        return of.at(of.size() / 2);
    };
    return {median(tails[0]), median(tails[1])};
}

// Returns HPCC's tail divided by that of another rate control.
double ratio(const Law& other, double Tail::*part) {
    static const Tail of_hpcc = tail_under(hpcc);
    return of_hpcc.*part / (tail_under(other).*part);
}

}  // namespace hpcc_slowdown

void add_hpcc(Figures& figures) {
    using namespace hpcc_slowdown;
    for (const Law& other : others) {
        for (const auto& [flows, part] :
             {std::pair{"to 2 KB", &Tail::shortest}, {"of 2 to 200 KB", &Tail::longer}}) {
            figures.push_back(
                {fmt::format("Hadoop at 30 %, flows {}: p99 of slowdown under HPCC for each "
                             "under {}, at most",
                             flows, other.name),
                 source, 1, 0, [&other, part = part] { return ratio(other, part); },
                 Relation::at_most});
        }
    }
}

}  // namespace sluice::sim

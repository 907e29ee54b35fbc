// simulator: frames that `sluice sim run FILE` simulates in a second of one core, each counted once
// from its sender to its receiver, through one switch. The time is what the process used of a
// processor, so that others on the machine count little; laying the network out is in it and is
// small.
//   in step   64 ports at 100G, frames of 64 octets, full load, each host to the next
//   poisson   16 and 64 ports at 100G, frames of 1522 octets, all to all at a load in percent
//   one flow  frames of 64 octets between two hosts, of a switch of 2 ports and one of 64
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tests/bench/report.h"
#include "tools/sim/scenario/run.h"

namespace {

using namespace sluice;

struct Case {
    std::string scenario;
    unsigned ports;
    unsigned frame_bytes;
    unsigned load_percent;
    std::string time;   // simulated
    std::string flows;  // as a scenario has them
};

std::string each_to_the_next(unsigned hosts) {
    std::string flows;
    for (unsigned from = 0; from < hosts; ++from) {
        flows += fmt::format("  - {{from: h{}, to: h{}, size: 64B}}\n", from, (from + 1) % hosts);
    }
    return flows;
}
std::string all_to_all(unsigned gigabits) {
    return fmt::format("  - {{from: all, to: all, size: 1522B, rate: {}G, pattern: poisson}}\n",
                       gigabits);
}
const std::string one_flow = "  - {from: h0, to: h1, size: 64B}\n";

sim::NetworkScenario scenario_of(const Case& with) {
    const std::string text = fmt::format(
        "run: {{time: {}}}\ncable: {{speed: 100G}}\ntopology: {{star: {{hosts: {}}}}}\nflows:\n{}",
        with.time, with.ports, with.flows);
    auto read = sim::read_scenario(text, "simulator_bench");
    if (read) return *read;
    for (const config::Fault& fault : read.error()) {
        fmt::print(stderr, "{}\n", config::to_string(fault));
    }
    std::exit(1);
}

void measure(bench::Report& report, const Case& with) {
    const sim::NetworkScenario scenario = scenario_of(with);
    uint64_t frames = 0;
    const double seconds = bench::median_of(5, [&] {
        const double start = bench::processor_seconds();
        const sim::NetworkResult result = sim::simulate(scenario);
        const double used = bench::processor_seconds() - start;
        frames = 0;
        for (const sim::FlowResult& flow : result.flows) frames += flow.received;
        return used;
    });
    report.add("simulator", {{"scenario", with.scenario},
                             {"ports", with.ports},
                             {"frame_bytes", with.frame_bytes},
                             {"load_percent", with.load_percent},
                             {"frames", frames},
                             {"mpps", static_cast<double>(frames) / seconds / 1e6}});
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    for (const Case& with : {Case{"in step", 64, 64, 100, "100us", each_to_the_next(64)},
                             Case{"poisson", 16, 1522, 50, "4ms", all_to_all(50)},
                             Case{"poisson", 64, 1522, 50, "1ms", all_to_all(50)},
                             Case{"poisson", 64, 1522, 95, "1ms", all_to_all(95)},
                             Case{"one flow", 2, 64, 100, "5ms", one_flow},
                             Case{"one flow", 64, 64, 100, "5ms", one_flow}}) {
        measure(report, with);
    }
}

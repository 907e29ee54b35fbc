// matching: what algorithms of the simulator's crossbar cost and carry, the switch's own among
// them.
//   matching    one matching with every VOQ asking, lengths drawn from 1 to 64 and an arrival at
//               each input; that the simulator hands its queues over is in it. Processor time.
//   saturation  what 64 outputs carry when every input gets a cell in every slot
// Two iterations, as the switch has them by default, and a window of 16.
#include <algorithm>
#include <array>
#include <string_view>

#include "tests/bench/report.h"
#include "tools/sim/fabric/chance.h"
#include "tools/sim/fabric/simulation.h"

namespace {

using namespace sluice;

constexpr std::array<std::string_view, 4> names = {"islip", "serena", "ilqf", "sw_qps"};
constexpr unsigned iterations = 2;

double nanoseconds_of(const sim::Algorithm& algorithm, unsigned ports) {
    const sim::Made matcher = algorithm.make({.ports = ports, .iterations = iterations});
    Random random(1);
    sim::Voqs voqs(ports, std::size_t{64} * ports);
    for (PortIndex input = 0; input < ports; ++input) {
        for (PortIndex output = 0; output < ports; ++output) {
            for (uint32_t cells = 1 + sim::below(random, 64); cells > 0; --cells) {
                voqs.push(input, output, 0);
            }
        }
    }
    std::array<sim::Arrivals, 64> arrivals;
    for (sim::Arrivals& slot : arrivals) {
        slot.inputs = first_ports(ports);
        for (PortIndex input = 0; input < ports; ++input) {
            slot.output[input] = static_cast<PortIndex>(sim::below(random, ports));
        }
    }
    constexpr int rounds = 50;
    return bench::median_of(9, [&] {
        const double start = bench::processor_seconds();
        for (int round = 0; round < rounds; ++round) {
            for (const sim::Arrivals& slot : arrivals) {
                sim::Matching matching;
                matcher->match(voqs, slot, matching);
            }
        }
        return (bench::processor_seconds() - start) * 1e9 / (rounds * arrivals.size());
    });
}

double saturation(const sim::Algorithm& algorithm, sim::CellPattern traffic) {
    return sim::simulate({.algorithm = &algorithm,
                          .tuning = {.ports = 64, .iterations = iterations},
                          .traffic = traffic,
                          .load = 1,
                          .warmup = 100'000,
                          .slots = 50'000})
        .throughput;
}

}  // namespace

int main(int count, char** arguments) {
    bench::Report report(count, arguments);
    for (const std::string_view name : names) {
        const sim::Algorithm& algorithm = *sim::find_algorithm(name);
        for (const unsigned ports : {4U, 16U, 64U}) {
            report.add(
                "matching",
                {{"algorithm", name}, {"ports", ports}, {"ns", nanoseconds_of(algorithm, ports)}});
        }
        for (const sim::CellPattern traffic :
             {sim::CellPattern::uniform, sim::CellPattern::diagonal, sim::CellPattern::log_diagonal,
              sim::CellPattern::quasi_diagonal}) {
            report.add("saturation", {{"algorithm", name},
                                      {"ports", 64},
                                      {"traffic", sim::name_of(traffic)},
                                      {"throughput", saturation(algorithm, traffic)}});
        }
    }
}

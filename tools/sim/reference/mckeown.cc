// Compares simulated 16 x 16 switches with McKeown's papers about iSLIP, RRM and maximum
// weight matching.
#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/runs.h"

namespace sluice::sim {

namespace mckeown {

constexpr std::string_view islip_source =
    "McKeown 1999, The iSLIP Scheduling Algorithm for Input-Queued Switches";
constexpr unsigned ports = 16;

void add_islip_throughput(Figures& figures) {
    for (unsigned iterations = 1; iterations <= 4; ++iterations) {
        figures.push_back({"iSLIP, 16 x 16, uniform, " + std::to_string(iterations) +
                               " iteration(s): saturation throughput",
                           islip_source, 1, 0.01, [iterations] {
                               return saturation("islip", ports, iterations, CellPattern::uniform,
                                                 500'000, 500'000);
                           }});
    }
}

void add_islip_delay(Figures& figures) {
    for (const char* load : {"0.5", "0.8", "0.9", "0.95", "0.99"}) {
        const double offered = std::stod(load);
        figures.push_back({std::string("iSLIP, 16 x 16, uniform, 4 iterations, load ") + load +
                               ": mean delay in slots, no less than the output-queued wait",
                           islip_source, output_queued_wait(ports, offered), 0,
                           [offered] {
                               return simulate(scenario_of("islip", ports, 4, CellPattern::uniform,
                                                           offered, 100'000, 400'000))
                                   .mean_delay;
                           },
                           Relation::at_least});
    }
}

double least_unstable_load_of_rrm() {
    for (int hundredths = 55; hundredths < 100; ++hundredths) {
        const double load = hundredths / 100.0;
        if (!simulate(scenario_of("rrm", ports, 1, CellPattern::uniform, load, 50'000, 200'000))
                 .stable) {
            return load;
        }
    }
    return 1;
}

}  // namespace mckeown

void add_mckeown(Figures& figures) {
    using namespace mckeown;
    add_islip_throughput(figures);
    add_islip_delay(figures);
    figures.push_back({"RRM, 16 x 16, uniform, 1 iteration: least unstable load", islip_source,
                       0.63, 0.02, least_unstable_load_of_rrm});
    figures.push_back(
        {"Maximum weight matching, 16 x 16, diagonal: saturation throughput",
         "McKeown, Mekkittikul, Anantharam and Walrand 1999, Achieving 100 % "
         "Throughput in an Input-Queued Switch",
         1, 0.01,
         [] { return saturation("mwm", ports, 1, CellPattern::diagonal, 50'000, 150'000); }});
}

}  // namespace sluice::sim

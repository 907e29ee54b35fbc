// Runs: crossbar scenarios, as the papers define them, for the comparisons in this folder. The seed
// is always the same.
#pragma once

#include <string_view>

#include "tools/sim/fabric/simulation.h"

namespace sluice::sim {

inline Scenario scenario_of(std::string_view algorithm, unsigned ports, unsigned iterations,
                            CellPattern traffic, double load, uint64_t warmup, uint64_t slots) {
    return {.algorithm = find_algorithm(algorithm),
            .tuning = {.ports = ports, .iterations = iterations},
            .traffic = traffic,
            .load = load,
            .warmup = warmup,
            .slots = slots};
}

// Returns the throughput of an output if every input gets a cell in every slot.
inline double saturation(std::string_view algorithm, unsigned ports, unsigned iterations,
                         CellPattern traffic, uint64_t warmup, uint64_t slots) {
    return simulate(scenario_of(algorithm, ports, iterations, traffic, 1, warmup, slots))
        .throughput;
}

// Returns the mean wait in an output-queued switch under uniform independent traffic (Karol,
// Hluchyj and Morgan).
inline double output_queued_wait(unsigned ports, double load) {
    return (ports - 1.0) / ports * load / (2 * (1 - load));
}

}  // namespace sluice::sim

// Simulation: simulates one algorithm with one traffic and load, slot by slot, and measures it.
//
// Pure: no clock, and all random numbers come from the seed, so the same scenario gives the same
// numbers on every machine. A warm-up comes first and is not measured; then `slots` slots are
// measured.
//   throughput             cells that departed / (ports x slots): the load that an output carried.
//                          At load 1 it is the saturation throughput of the papers.
//   throughput_of_offered  cells that departed / cells that arrived: what papers call normalised.
//   delay                  slots from a cell's arrival to its departure, 0 if both are in one slot,
//                          of departed cells. The mean is exact, the 99th percentile exact to 1/64.
// Bound: an input holds queue_limit cells, 512 KiB; further cells are lost and counted. A switch
// that lost a cell, or whose backlog grew by more than 1 % of the arrivals, counts as unstable: its
// delay depends on the length of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "tools/sim/fabric/algorithms.h"
#include "tools/sim/fabric/traffic.h"

namespace sluice::sim {

inline constexpr std::size_t queue_limit = 65536;

struct Scenario {
    const Algorithm* algorithm = nullptr;
    Tuning tuning;
    CellPattern traffic = CellPattern::uniform;
    double load = 0.9;
    double burst = 16;  // mean length in cells; only for bursty
    uint64_t warmup = 25'000;
    uint64_t slots = 100'000;
};

struct Outcome {
    uint64_t arrived = 0;  // including lost cells
    uint64_t departed = 0;
    uint64_t lost = 0;
    uint64_t waiting_before = 0;
    uint64_t waiting_after = 0;
    double throughput = 0;
    double throughput_of_offered = 0;
    double mean_delay = 0;
    uint64_t p99_delay = 0;
    uint64_t max_delay = 0;
    bool stable = true;
};

// Runs a scenario. `on_progress` is called every few slots with the number of slots that have
// passed, including the warm-up.
Outcome simulate(const Scenario& scenario, const std::function<void(uint64_t)>& on_progress = {});

}  // namespace sluice::sim

// Compares the simulated SW-QPS and iSLIP with the SW-QPS paper: saturation throughputs of a 64 x
// 64 switch. Where the paper reports 100 %, the backlog still grows at load 1, like the square root
// of time, so such a run is long and its result slightly lower.
#include <array>

#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/runs.h"

namespace sluice::sim {

namespace gong {

constexpr std::string_view source = "Meng, Gong and Xu 2020, SW-QPS, 64 x 64 at saturation";
constexpr unsigned ports = 64;
constexpr double a_point = 0.01;

struct Row {
    std::string_view algorithm;
    std::string_view label;
    unsigned iterations;
    uint64_t warmup;
    uint64_t slots;
    std::array<double, 4> throughput;  // by pattern, in the order below
};
constexpr std::array patterns_in_order = {CellPattern::uniform, CellPattern::quasi_diagonal,
                                          CellPattern::log_diagonal, CellPattern::diagonal};
constexpr std::array rows = {
    Row{"serena", "SERENA", 1, 800'000, 400'000, {1, 1, 1, 1}},
    Row{"sw_qps", "SW-QPS, window 16", 1, 100'000, 100'000, {0.926, 0.917, 0.914, 0.877}},
    Row{"islip", "iSLIP, 6 iterations", 6, 100'000, 100'000, {0.996, 0.804, 0.832, 0.830}},
};

}  // namespace gong

void add_gong(Figures& figures) {
    using namespace gong;
    for (const Row& row : rows) {
        for (std::size_t n = 0; n < patterns_in_order.size(); ++n) {
            const CellPattern pattern = patterns_in_order[n];
            figures.push_back({std::string(row.label) + ", 64 x 64, " +
                                   std::string(name_of(pattern)) + ": saturation throughput",
                               source, row.throughput[n], a_point, [row, pattern] {
                                   return saturation(row.algorithm, ports, row.iterations, pattern,
                                                     row.warmup, row.slots);
                               }});
        }
    }
}

}  // namespace sluice::sim

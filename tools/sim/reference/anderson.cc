// Compares the simulated PIM with its paper: the throughput of one iteration, and the number of
// iterations until no pair can be added.
#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/runs.h"

namespace sluice::sim {

namespace anderson {

constexpr unsigned ports = 16;
constexpr double by_formula = 4.354;  // ln 16 + e/(e - 1)

// Returns the mean number of iterations after which no pair can be added, if every input has a cell
// for every output. No cell departs.
double mean_iterations_to_converge() {
    constexpr int matchings = 200'000;
    Voqs voqs(ports, queue_limit);
    for (PortIndex input = 0; input < ports; ++input) {
        for (PortIndex output = 0; output < ports; ++output) voqs.push(input, output, 0);
    }
    const Made pim = make_pim({.ports = ports, .iterations = ports});
    uint64_t iterations = 0;
    for (int n = 0; n < matchings; ++n) {
        Matching matching;
        pim->match(voqs, {}, matching);
        iterations += matching.iterations;
    }
    return static_cast<double>(iterations) / matchings;
}

}  // namespace anderson

void add_anderson(Figures& figures) {
    using namespace anderson;
    constexpr std::string_view source =
        "Anderson, Owicki, Saxe and Thacker 1993, High-Speed Switch Scheduling for Local-Area "
        "Networks";
    figures.push_back({"PIM, 16 x 16, uniform, 1 iteration: saturation throughput, 1 - (1 - 1/N)^N",
                       source, 0.6439, 0.005, [] {
                           return saturation("pim", ports, 1, CellPattern::uniform, 50'000, 50'000);
                       }});
    figures.push_back(
        {"PIM, 16 x 16, every VOQ backlogged: mean iterations to converge, no "
         "more than log2 N + 4/3",
         source, 4 + 4.0 / 3, 0, mean_iterations_to_converge, Relation::at_most});
    constexpr std::string_view formula = "mean iterations of PIM by ln N + e/(e - 1)";
    figures.push_back({"PIM, 16 x 16, every VOQ backlogged: mean iterations that add a pair",
                       formula, by_formula, 0.25, mean_iterations_to_converge});
    figures.push_back(
        {"PIM, 16 x 16, every VOQ backlogged: mean iterations, including the last, which adds no "
         "pair",
         formula, by_formula, 0.25, [] { return mean_iterations_to_converge() + 1; }});
}

}  // namespace sluice::sim

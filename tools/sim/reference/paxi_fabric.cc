// Compares the study of PAXI frames with the simulated iSLIP: throughput by number of iterations
// (section 5.4.2).
#include <fmt/format.h>

#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/runs.h"

namespace sluice::sim {

void add_paxi_fabric(Figures& figures) {
    struct Row {
        unsigned iterations;
        double throughput;
        double tolerance;
    };
    for (const Row& row : {Row{1, 0.63, 0.02}, Row{2, 0.99, 0.01}, Row{4, 0.999, 0.01}}) {
        figures.push_back(
            {fmt::format("iSLIP of {} iteration(s), 16 x 16, uniform: throughput", row.iterations),
             "a study of how an L2 switch treats PAXI frames, 5.4: iSLIP", row.throughput,
             row.tolerance, [row] {
                 return saturation("islip", 16, row.iterations, CellPattern::uniform, 200'000,
                                   200'000);
             }});
    }
}

}  // namespace sluice::sim

// Compares simulated crossbars with Karol, Hluchyj and Morgan: inputs with one FIFO each, and
// output queues, under uniform independent traffic.
#include "tools/sim/reference/reference.h"
#include "tools/sim/reference/runs.h"

namespace sluice::sim {

namespace karol {

constexpr std::string_view source =
    "Karol, Hluchyj and Morgan 1987, Input Versus Output Queueing on a Space-Division Packet "
    "Switch";
constexpr unsigned ports = 16;

void add_fifo(Figures& figures, unsigned of_ports, double throughput, std::string_view remark) {
    figures.push_back(
        {"FIFO inputs, " + std::to_string(of_ports) + " x " + std::to_string(of_ports) +
             ", uniform: saturation throughput" + std::string(remark),
         source, throughput, 0.005, [of_ports] {
             return saturation("fifo", of_ports, 1, CellPattern::uniform, 20'000, 100'000);
         }});
}

}  // namespace karol

void add_karol(Figures& figures) {
    using namespace karol;
    add_fifo(figures, 2, 0.75, "");
    add_fifo(figures, 8, 0.6184, "");
    add_fifo(figures, 64, 0.5858, ", against 2 - sqrt 2 of endlessly many ports");
    for (const char* load : {"0.5", "0.8", "0.9", "0.95", "0.99"}) {
        const double offered = std::stod(load);
        const double wait = output_queued_wait(ports, offered);
        figures.push_back({std::string("Output-queued, 16 x 16, uniform, load ") + load +
                               ": mean wait in slots, (15/16) rho / (2 (1 - rho))",
                           source, wait, 0.03 * wait, [offered] {
                               return simulate(scenario_of("oq", ports, 1, CellPattern::uniform,
                                                           offered, 100'000,
                                                           offered > 0.98 ? 4'000'000 : 1'000'000))
                                   .mean_delay;
                           }});
    }
}

}  // namespace sluice::sim

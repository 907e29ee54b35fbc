#include "tools/sim/reference/reference.h"

#include <cmath>

#include "tools/sim/side_by_side.h"

namespace sluice::sim {

Figures reference_figures() {
    Figures figures;
    add_gong(figures);
    add_mckeown(figures);
    add_karol(figures);
    add_md1(figures);
    add_flow_control(figures);
    add_flow_control_cable(figures);
    add_anderson(figures);
    add_choudhury(figures);
    add_paxi_fabric(figures);
    add_paxi_buffer(figures);
    add_paxi_scheduling(figures);
    add_paxi_pauses(figures);
    add_paxi_delay(figures);
    add_paxi_forwarding(figures);
    add_paxi_networks(figures);
    add_link_layer(figures);
    add_he(figures);
    add_hpcc(figures);
    add_ndp(figures);
    return figures;
}

bool holds(const Figure& figure, double measured) {
    switch (figure.relation) {
        case Relation::about:
            return std::abs(measured - figure.expected) <= figure.tolerance;
        case Relation::at_least:
            return measured >= figure.expected - figure.tolerance;
        case Relation::at_most:
            return measured <= figure.expected + figure.tolerance;
    }
    return false;
}

std::vector<Compared> compare(const Figures& figures,
                              const std::function<void(std::size_t finished)>& done) {
    std::vector<Compared> compared(figures.size());
    side_by_side(
        figures.size(),
        [&](std::size_t n) {
            const Figure& figure = figures[n];
            const double measured = figure.measure();
            compared[n] = {figure.name,      figure.source,   figure.expected,        measured,
                           figure.tolerance, figure.relation, holds(figure, measured)};
        },
        done);
    return compared;
}

}  // namespace sluice::sim

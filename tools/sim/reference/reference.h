// Reference: compares published figures of crossbars, switches and networks with the simulation. It
// reports figures that the simulation contradicts.
//
// One function adds the figures of one source. To add a source, write its function, declare it, and
// call it in reference.cc, slow figures first, since the figures are measured in parallel.
// Bound: a fixed seed and a fixed number of slots, so the same measurements on every machine; half
// a minute on two cores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::sim {

enum class Relation : uint8_t { about, at_least, at_most };

struct Figure {
    std::string name;
    std::string_view source;
    double expected;
    double tolerance;  // largest allowed difference
    std::function<double()> measure;
    Relation relation = Relation::about;
};
using Figures = std::vector<Figure>;

struct Compared {
    std::string name;
    std::string_view source;
    double expected;
    double measured;
    double tolerance;
    Relation relation;
    bool ok;
};

void add_gong(Figures& figures);
void add_mckeown(Figures& figures);
void add_anderson(Figures& figures);
void add_karol(Figures& figures);
void add_md1(Figures& figures);
void add_flow_control(Figures& figures);
void add_flow_control_cable(Figures& figures);
void add_choudhury(Figures& figures);
void add_paxi_fabric(Figures& figures);
void add_paxi_buffer(Figures& figures);
void add_paxi_scheduling(Figures& figures);
void add_paxi_pauses(Figures& figures);
void add_paxi_delay(Figures& figures);
void add_paxi_forwarding(Figures& figures);
void add_paxi_networks(Figures& figures);
void add_link_layer(Figures& figures);
void add_he(Figures& figures);
void add_hpcc(Figures& figures);
void add_ndp(Figures& figures);

// Returns all published figures that can be measured here.
Figures reference_figures();

bool holds(const Figure& figure, double measured);

// Measures the figures. `done(finished)` is called after each of them, one at a time.
std::vector<Compared> compare(const Figures& figures,
                              const std::function<void(std::size_t finished)>& done);

}  // namespace sluice::sim

// Reference: compares published figures of crossbars, switches and networks with the simulation. A
// contradiction is reported as such.
//
// One function a source adds its figures. To add one, write it, declare it and name it in
// reference.cc; what takes long goes first, since the figures are measured side by side.
// Bound: a fixed seed and fixed slots, so the same measurements everywhere; half a minute on two
// cores.
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
    double tolerance;  // by so much it may miss
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

// Everything that is published and can be measured here.
Figures reference_figures();

bool holds(const Figure& figure, double measured);

// `done(finished)` is called after each of them, one at a time.
std::vector<Compared> compare(const Figures& figures,
                              const std::function<void(std::size_t finished)>& done);

}  // namespace sluice::sim

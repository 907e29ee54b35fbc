// Compares notes on flow control with two simulations: a link in slots, with credits or with XON
// and XOFF; and the grants of egress ports.
// Requirements are found by search: the least buffer with which the simulated link neither loses
// cells nor starves, and the least quantum with which the simulated ports are busy.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tools/sim/credits/grants.h"
#include "tools/sim/credits/link.h"
#include "tools/sim/reference/reference.h"

namespace sluice::sim {

namespace flow_control {

constexpr std::string_view toy = "notes on flow control, credits: the toy example";
constexpr std::string_view sizing = "notes on flow control, credits: BDP sufficiency and necessity";
constexpr std::string_view compared = "notes on flow control, credits beside XON/XOFF";
constexpr std::string_view quantum = "notes on flow control, sizing of the credit quantum";

// --- a link, in slots ---

constexpr unsigned toy_delay = 3;
constexpr unsigned toy_bdp = 2 * toy_delay;

LinkSettings the_toy(unsigned room) {
    return {.delay = toy_delay, .room = room, .credits = 3, .returning = 3, .stalls = {{}}};
}

double toy_buffered_at(uint64_t time) {
    Link link(the_toy(toy_bdp));
    LinkSlot slot;
    while (slot.slot < time) slot = link.step();
    return slot.buffered;
}

// The receiver stalls four times (`stutter`) before slot `quiet_from`; from then on it takes cells
// until slot `quiet_slots`.
constexpr uint64_t quiet_from = 400;
constexpr uint64_t quiet_slots = 3000;
const std::vector<SlotWindow> stutter = {{100, 200}, {210, 211}, {213, 300}, {301, 302}};

LinkSettings by_credit(unsigned delay, unsigned room, unsigned credits) {
    return {.delay = delay, .room = room, .credits = credits, .stalls = stutter};
}
double lost(const LinkSettings& settings) {
    return static_cast<double>(simulate(settings, quiet_slots).lost);
}
// Returns the mean number of cells that the receiver takes in a slot, from slot `quiet_from` on.
double line_rate(const LinkSettings& settings) {
    return static_cast<double>(simulate(settings, quiet_slots, quiet_from).taken) /
           static_cast<double>(quiet_slots - quiet_from);
}

// Whether the link loses no cell, and the receiver always finds a cell from its first stall on.
bool suffices(const LinkSettings& settings) {
    return simulate(settings, quiet_slots).lost == 0 &&
           simulate(settings, quiet_slots, stutter.front().from).starved == 0;
}
double least_buffer_by_credit(unsigned delay) {
    unsigned room = 1;
    while (!suffices(by_credit(delay, room, room))) ++room;
    return room;
}
LinkSettings by_levels(unsigned delay, unsigned room, unsigned xoff, unsigned xon) {
    return {.control = LinkControl::xon_xoff,
            .delay = delay,
            .room = room,
            .xoff = xoff,
            .xon = xon,
            .stalls = stutter};
}
// Returns the least buffer that suffices with some choice of XOFF and XON.
double least_buffer_by_levels(unsigned delay) {
    for (unsigned room = 1;; ++room) {
        for (unsigned xoff = 1; xoff <= room; ++xoff) {
            for (unsigned xon = 0; xon < xoff; ++xon) {
                if (suffices(by_levels(delay, room, xoff, xon))) return room;
            }
        }
    }
}

// Returns the largest difference between the buffered cells and the model of an infinite queue: one
// BDP less the cells taken in the last round trip.
double off_the_infinite_queue() {
    constexpr unsigned delay = 10;
    constexpr unsigned bdp = 2 * delay;
    Link link(by_credit(delay, bdp, bdp));
    std::vector<unsigned> taken;
    double most = 0;
    for (uint64_t slot = 0; slot < quiet_slots; ++slot) {
        const LinkSlot now = link.step();
        taken.push_back(now.taken != 0 ? 1 : 0);
        if (slot < bdp + delay) continue;
        double expected = bdp;
        for (unsigned ago = 0; ago < bdp; ++ago) expected -= taken[slot - ago];
        most = std::max(most, std::abs(now.buffered - expected));
    }
    return most;
}

void add_link(Figures& figures) {
    figures.push_back({"Credits, delay 3, buffer 6: cells buffered at time 6", toy, 4, 0,
                       [] { return toy_buffered_at(6); }});
    figures.push_back(
        {"Credits, delay 3, buffer 6: cells sent to a receiver that stalls", toy, 6, 0,
         [] { return static_cast<double>(simulate(the_toy(toy_bdp), quiet_slots).sent); }});
    figures.push_back({"Credits, delay 3, buffer 6: cells lost", toy, 0, 0,
                       [] { return lost(the_toy(toy_bdp)); }});
    figures.push_back({"The same 6 credits, buffer 4: cells lost, those that arrive after time 6",
                       toy, 2, 0, [] { return lost(the_toy(4)); }});
    figures.push_back({"Credits and buffer of one BDP, stalls: cells lost", sizing, 0, 0,
                       [] { return lost(by_credit(50, 100, 100)); }});
    figures.push_back({"Credits and buffer of one BDP, stalls: share of the line rate after them",
                       sizing, 1, 0, [] { return line_rate(by_credit(50, 100, 100)); }});
    figures.push_back(
        {"Credits of one BDP, buffer of one cell less, stalls: cells lost, at "
         "least one",
         sizing, 1, 0, [] { return lost(by_credit(50, 99, 100)); }, Relation::at_least});
    figures.push_back(
        {"Buffer of one cell less than a BDP and no more credits than that, "
         "stalls: cells lost, at least one",
         sizing, 1, 0, [] { return lost(by_credit(50, 99, 99)); }, Relation::at_least});
    figures.push_back(
        {"Credits and buffer of one cell less than the BDP of 6: share of the line rate", sizing,
         5.0 / 6, 0.001, [] { return line_rate(by_credit(3, 5, 5)); }});
    figures.push_back(
        {"Infinite-queue equivalence: by how much the buffer is off BDP - (DD(t) - "
         "DD(t - RTT))",
         sizing, 0, 0, off_the_infinite_queue});
    figures.push_back({"Least buffer under credits that neither loses nor starves, in BDP",
                       compared, 1, 0, [] { return least_buffer_by_credit(10) / 20; }});
    figures.push_back(
        {"XON/XOFF with a buffer of reaction, wire and a hysteresis of the reaction: "
         "cells lost",
         compared, 0, 0, [] { return lost(by_levels(10, 30, 11, 1)); }});
    figures.push_back(
        {"Least buffer under XON/XOFF that neither loses nor starves, in BDP: reaction, "
         "wire and a hysteresis of the reaction",
         compared, 1.5, 0.05, [] { return least_buffer_by_levels(10) / 20; }});
}

// --- credits between ingress and egress ---

constexpr double busy = 0.9995;

// Returns settings with one ingress port, so that octets are rounded only to cells.
GrantSettings of_one(unsigned egress_ports, Bytes credit) {
    return {.policy = GrantPolicy::port,
            .slices = {1},
            .egress_ports = egress_ports,
            .quantum = credit,
            .time = Picos(40'000'000)};
}
// Returns the least number that is enough, by bisection.
template <class Enough>
double least(int64_t too_little, int64_t enough, Enough is_enough) {
    while (enough - too_little > 1) {
        const int64_t middle = (too_little + enough) / 2;
        (is_enough(middle) ? enough : too_little) = middle;
    }
    return static_cast<double>(enough);
}
double least_quantum(unsigned egress_ports, BitsPerSecond speed) {
    return least(0, 4096, [&](int64_t octets) {
        GrantSettings settings = of_one(egress_ports, Bytes(octets));
        settings.speed = speed;
        return simulate(settings).utilisation > busy;
    });
}
double least_egress_buffer() {
    return least(0, 1'000'000, [](int64_t octets) {
        GrantSettings settings = of_one(1, Bytes(105));
        settings.buffer = Bytes(octets);
        return simulate(settings).utilisation > busy;
    });
}
// Credits of 100 octets every 2 ns are 400 Gb/s, so no cell waits at the egress port.
double outstanding() {
    GrantSettings settings = of_one(1, Bytes(100));
    settings.buffer = Bytes(1'000'000);
    return static_cast<double>(simulate(settings).most_outstanding.count());
}
double buffered_when_it_stops() {
    GrantSettings settings = of_one(1, Bytes(105));
    settings.stops_at = Picos(20'000'000);
    return static_cast<double>(simulate(settings).most_buffered.count());
}
double share_of(GrantPolicy policy, std::size_t port) {
    return simulate(GrantSettings{.policy = policy}).shares[port];
}

void add_grants(Figures& figures) {
    static constexpr BitsPerSecond port{400'000'000'000};
    static constexpr BitsPerSecond fabric{420'000'000'000};
    figures.push_back({"Least credit every 2 ns that keeps 400G busy, in octets", quantum, 100, 0,
                       [] { return least_quantum(1, port); }});
    figures.push_back({"The same with 5 % of fabric speed-up", quantum, 105, 0,
                       [] { return least_quantum(1, fabric); }});
    figures.push_back({"Least credit every 2 ns that keeps a slice of 18 x 400G busy, in octets",
                       quantum, 1800, 10, [] { return least_quantum(18, port); }});
    figures.push_back({"Credit of 2 KB every 2 ns: how busy a slice of 18 x 400G is", quantum, 1,
                       0.0005, [] { return simulate(of_one(18, Bytes(2048))).utilisation; }});
    figures.push_back({"400G, 0.8 us: octets outstanding between ingress and egress", quantum,
                       40'000, 400, outstanding});
    figures.push_back({"400G, 0.8 us: cells of 256 octets outstanding", quantum, 156, 1.5,
                       [] { return outstanding() / 256; }});
    figures.push_back({"400G, 0.8 us: least egress buffer that keeps the port busy, in octets",
                       quantum, 40'000, 800, least_egress_buffer});
    figures.push_back({"400G, 0.8 us: octets that arrive at an egress port that has stopped",
                       quantum, 40'000, 800, buffered_when_it_stops});
    constexpr std::array expected = {0.25, 0.25, 0.5};
    for (std::size_t n = 0; n < expected.size(); ++n) {
        figures.push_back({"Credits by slice, 2 ports in one and 1 in another: share of port " +
                               std::to_string(n),
                           quantum, expected[n], 0.001,
                           [n] { return share_of(GrantPolicy::slice, n); }});
    }
    for (std::size_t n = 0; n < expected.size(); ++n) {
        figures.push_back({"Credits by port, the same: share of port " + std::to_string(n), quantum,
                           1.0 / 3, 0.001, [n] { return share_of(GrantPolicy::port, n); }});
    }
}

}  // namespace flow_control

void add_flow_control(Figures& figures) {
    using namespace flow_control;
    add_link(figures);
    add_grants(figures);
}

}  // namespace sluice::sim

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "config/yaml/values.h"
#include "tools/sluice/calc/calc.h"
#include "tools/sluice/calc/link.h"
#include "tools/sluice/calc/words.h"

namespace sluice::cli {

namespace {

constexpr int64_t most_ports = 4096;

struct CreditQuantumWords {
    int64_t speed = 0;
    int64_t ports = 0;
    double speed_up = 0;
    int64_t clock = 0;
    int64_t cycles = 0;
    int64_t cell = 0;
    int64_t rtt = 0;
};

void add_words(CLI::App& command, CreditQuantumWords& words) {
    add_speed(command, "Speed of a port", "400G", words.speed);
    add_count(command, "ports", "Ports that share a credit: 1, or the ports of a slice", "1",
              most_ports, words.ports);
    add_number(command, {"speed-up", "Speed of the fabric relative to its ports", "1.05", 1, 16},
               words.speed_up);
    add_rate(command, "clock", "Clock of the credit scheduler, in cycles per second", "1G",
             1'000'000, fastest_clock, words.clock);
    add_count(command, "cycles", "Cycles from one credit to the next", "2", 1'000'000,
              words.cycles);
    add_octets(command, "cell", "Octets of a cell of the fabric", "256B", 1, words.cell);
    add_time(command, "rtt", "Time from a credit until the released cells arrive", "800ns",
             words.rtt);
}

Answer compute(const CreditQuantumWords& words) {
    const int64_t speed = words.speed * words.ports;
    const double credits_a_second =
        static_cast<double>(words.clock) / static_cast<double>(words.cycles);
    const double octets = static_cast<double>(speed) / 8 * words.speed_up / credits_a_second;
    // A speed-up such as 1.05 is no exact binary fraction: the rounding error must not add an
    // octet.
    constexpr double rounding = 1e-9;
    const auto quantum = static_cast<int64_t>(std::ceil(octets * (1 - rounding)));
    const int64_t in_cells = (quantum + words.cell - 1) / words.cell * words.cell;
    const int64_t bdp = octets_in(words.rtt, speed);
    const double cells = static_cast<double>(bdp) / static_cast<double>(words.cell);
    return {.name = "credit_quantum",
            .formula =
                "credit_quantum = speed x ports x speed_up / 8 / (clock / cycles); "
                "bdp = speed x ports x rtt / 8",
            .inputs = {{"speed", config::format_rate(words.speed), "speed_bps", words.speed},
                       {"ports", std::to_string(words.ports), "ports", words.ports},
                       {"speed_up", fmt::format("{}", words.speed_up), "speed_up", words.speed_up},
                       {"clock", fmt::format("{}Hz", config::format_rate(words.clock)), "clock_hz",
                        words.clock},
                       {"cycles", std::to_string(words.cycles), "cycles", words.cycles},
                       {"cell", config::format_size(words.cell), "cell_bytes", words.cell},
                       {"rtt", config::format_time(words.rtt), "rtt_ns", words.rtt}},
            .result = quantum,
            .unit = "bytes",
            .also = {{"in whole cells", fmt::format("{} bytes", in_cells), "whole_cells_bytes",
                      in_cells},
                     {"bdp",
                      fmt::format("{} bytes: a buffer that neither overflows nor underflows", bdp),
                      "bdp_bytes", bdp},
                     {"bdp in cells",
                      fmt::format("{:.6g}, so room for {:.0f}", cells, std::ceil(cells)),
                      "bdp_cells", cells}},
            .source =
                "Kung, Blackwell and Chapman, Credit-Based Flow Control for ATM Networks "
                "(SIGCOMM 1994)"};
}

}  // namespace

Compute credit_quantum(CLI::App& command) {
    return calculation<CreditQuantumWords>(command, add_words, compute);
}

}  // namespace sluice::cli

// CellTraffic: the cells that arrive in each slot, in the traffic patterns that papers on crossbars
// use.
//
// Rate from input i to output j, in cells a slot, with load X, N ports, and k = (j - i) modulo N:
//   uniform         X/N
//   bursty          X/N, in bursts to one output: on for a geometric number of slots with the given
//                   mean, a cell in each, then off for a geometric number whose mean gives load X
//   diagonal        X 2/3 for k = 0, X 1/3 for k = 1
//   log-diagonal    X 2^(N-1-k) / (2^N - 1): each next output half as much
//   quasi-diagonal  X/2 for k = 0, X/(2(N-1)) for the others
//   unbalanced      X (w + (1-w)/N) for k = 0, X (1-w)/N for the others, w = 1/2
//   hotspot         X/N for output 0, X/(2N) for the others: only the hot output has load X
// All but bursty are Bernoulli: slots are independent. All are admissible for X <= 1: no input and
// no output has a rate above X.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tools/sim/fabric/chance.h"
#include "tools/sim/fabric/voqs.h"

namespace sluice::sim {

enum class CellPattern : uint8_t {
    uniform,
    diagonal,
    log_diagonal,
    quasi_diagonal,
    unbalanced,
    hotspot,
    bursty,
};

struct PatternName {
    std::string_view name;
    CellPattern pattern;
    std::string_view help;
};
std::span<const PatternName> patterns();
std::string_view name_of(CellPattern pattern);
std::optional<CellPattern> find_pattern(std::string_view name);

// Returns the total rate of an input, in cells a slot.
double rate_of_input(CellPattern pattern, unsigned ports, double load);
// Returns the share of the input's cells that goes to each output; the shares sum to 1.
std::vector<double> shares_of_input(CellPattern pattern, unsigned ports, PortIndex input);

class CellTraffic {
  public:
    // `burst`: the mean length of bursts; used only by bursty.
    CellTraffic(CellPattern pattern, unsigned ports, double load, double burst, uint64_t seed);
    void next_slot(Arrivals& arrivals);

  private:
    // A column of Walker's alias table: a draw below `threshold` chooses the column's output,
    // another draw chooses `other`.
    struct Column {
        uint64_t threshold;
        PortIndex other;
    };
    void fill_columns(PortIndex input, std::vector<double> shares);
    PortIndex destination(PortIndex input);
    void next_of_bursts(Arrivals& arrivals);

    unsigned ports_;
    bool bursty_;
    Chance arrives_;
    Chance burst_starts_;
    Chance burst_ends_;
    Random random_;
    std::vector<Column> columns_;  // one for each pair of input and output
    PortSet on_ = 0;               // inputs that are within a burst
    std::array<PortIndex, max_ports> burst_to_{};
};

}  // namespace sluice::sim

// Compares notes on the M/D/1 queue of a fabric's port with their own formula and with
// a simulation.
//
// The formula is that of large deviations, P(Q > n) = C e^(-theta n) with theta > 0 the solution of
// rho (e^theta - 1) = theta; the source has C = (1 - rho) / (rho + e^-theta).
// The simulation looks at the queue at departures; there its length has the same distribution as at
// arrivals.
#include <algorithm>
#include <array>
#include <cmath>

#include "dataplane/types/random.h"
#include "tools/sim/reference/reference.h"

namespace sluice::sim {

namespace md1 {

constexpr std::string_view source = "notes on flow control, buffering of a cell fabric by M/D/1";
constexpr double load = 0.9;
constexpr double one_in_a_million = 1e-6;
constexpr unsigned stated = 53;
constexpr uint64_t slots = 400'000'000;

double cells_by_formula() {
    double theta = 1;
    for (int step = 0; step < 50; ++step) {  // Newton's method
        const double grown = std::exp(theta);
        theta -= (load * (grown - 1) - theta) / (load * grown - 1);
    }
    const double c = (1 - load) / (load + std::exp(-theta));
    return (std::log(c) - std::log(one_in_a_million)) / theta;
}

// Draws how many cells arrive while one cell departs: a Poisson number, drawn by comparing whole
// numbers. e^-load is summed here, since libraries differ in its last digit.
class Poisson {
  public:
    Poisson() {
        double none = 0;
        double term = 1;
        for (int n = 1; n < 40; term *= -load / n, ++n) none += term;
        double sum = 0;
        double share = none;
        for (std::size_t n = 0; n < below_.size(); share *= load / static_cast<double>(++n)) {
            sum += share;
            below_[n] = static_cast<uint64_t>(sum * 4294967296.0 + 0.5);
        }
    }
    unsigned draw(Random& random) const {
        const uint64_t drawn = random.next();
        unsigned n = 0;
        while (n + 1 < below_.size() && drawn >= below_[n]) ++n;
        return n;
    }

  private:
    std::array<uint64_t, 16> below_{};
};

// Returns the least n with P(Q > n) <= 1e-6, in a queue without limit.
double cells_by_simulation() {
    std::array<uint64_t, 1024> seen{};
    Random random(1);
    const Poisson arrivals;
    std::size_t queue = 0;
    for (uint64_t slot = 0; slot < slots; ++slot) {
        queue = queue - (queue > 0 ? 1 : 0) + arrivals.draw(random);
        ++seen[std::min(queue, seen.size() - 1)];
    }
    auto above = static_cast<double>(slots);
    std::size_t cells = 0;
    for (; cells < seen.size(); ++cells) {
        above -= static_cast<double>(seen[cells]);
        if (above <= one_in_a_million * static_cast<double>(slots)) break;
    }
    return static_cast<double>(cells);
}

// Returns the share lost by a queue of limited length; the length includes the cell in service.
double share_lost() {
    Random random(1);
    const Poisson arrivals;
    uint64_t came = 0;
    uint64_t lost = 0;
    unsigned queue = 0;
    for (uint64_t slot = 0; slot < slots; ++slot) {
        const unsigned now = arrivals.draw(random);
        queue = queue - (queue > 0 ? 1 : 0) + now;
        came += now;
        if (queue > stated) lost += queue - stated;
        queue = std::min(queue, stated);
    }
    return static_cast<double>(lost) / static_cast<double>(came);
}

}  // namespace md1

void add_md1(Figures& figures) {
    using namespace md1;
    figures.push_back({"M/D/1, load 0.9: cells for P(Q > n) = 1e-6, by the stated formula", source,
                       stated, 0.5, cells_by_formula});
    figures.push_back({"M/D/1, load 0.9: cells for P(Q > n) <= 1e-6, by simulation", source, stated,
                       2, cells_by_simulation});
    figures.push_back(
        {"M/D/1, load 0.9, room for 53 cells: share lost, by simulation, at "
         "most one in a million",
         source, one_in_a_million, 1e-7, share_lost, Relation::at_most});
}

}  // namespace sluice::sim

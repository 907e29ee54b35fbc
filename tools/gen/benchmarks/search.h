// Search: which rate to try next, until the fastest one that a device passes is known (RFC 2544
// section 26.1): a rate that failed halves the way down, one that passed halves the way up.
//
// It is over when the fastest that passed and the slowest above it that failed are no more than a
// step apart. Before that the latter is tried once more: chance can fail a trial, but pass none. If
// it passes now, the search goes on above it, `most_repeats` times at the most.
// Bound: 1 + (n + 1) x (1 + most_repeats) trials, n the halvings from the first rate to a step.
// Not done here: trials, time, and what passes; a rate is any number that grows with the load.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace sluice::gen {

class Search {
  public:
    static constexpr std::size_t most_repeats = 3;

    // The first trial went at `rate`, which none will exceed. `resolution`: a step, as a share of
    // it, above 0.
    Search(double rate, bool passes, double resolution) : step_(rate * resolution) {
        if (passes) {
            passed_ = rate;
        } else if (rate > 0) {
            failed_.push_back(rate);
        }
    }

    // Nothing: it is over.
    [[nodiscard]] std::optional<double> next() const {
        if (failed_.empty()) return {};
        if (!has_converged()) return (passed_ + failed_.back()) / 2;
        if (!sure_ && repeats_ < most_repeats) return failed_.back();
        return {};
    }
    // What became of the trial at next().
    void record(bool passes) {
        const double rate = next().value();
        const bool repeated = has_converged();
        if (repeated) ++repeats_;
        if (passes) {
            passed_ = rate;
            if (repeated) failed_.pop_back();
        } else if (repeated) {
            sure_ = true;
        } else {
            failed_.push_back(rate);
        }
    }

    [[nodiscard]] double fastest() const { return passed_; }  // that passed; 0: none did

  private:
    [[nodiscard]] bool has_converged() const { return failed_.back() - passed_ <= step_; }

    double step_;
    double passed_ = 0;
    std::vector<double> failed_;  // above passed_, falling
    bool sure_ = false;           // the last of them failed twice
    std::size_t repeats_ = 0;
};

}  // namespace sluice::gen

// Search: chooses the next rate to try, until the fastest rate that a device passes is known (RFC
// 2544 section 26.1), by bisection between the fastest rate that passed and the slowest that
// failed.
//
// The search ends when these two rates are at most a step apart. Before it ends, the failed rate is
// tried once more: a trial can fail by chance, but not pass by chance. If it passes, the search
// continues above that rate, at most `most_repeats` times.
// Bound: 1 + (n + 1) x (1 + most_repeats) trials, for n halvings from the first rate to a step.
// Not here: trials, time, the criterion for a pass, and the unit of a rate: it may be any number
// that rises with the load.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace sluice::gen {

class Search {
  public:
    static constexpr std::size_t most_repeats = 3;

    // `rate`: the highest rate of the search, at which the first trial was made; `passes`: whether
    // that trial passed. `resolution`: a step, as a share of `rate`, above 0.
    Search(double rate, bool passes, double resolution) : step_(rate * resolution) {
        if (passes) {
            passed_ = rate;
        } else if (rate > 0) {
            failed_.push_back(rate);
        }
    }

    // Returns the next rate; none if the search is over.
    [[nodiscard]] std::optional<double> next() const {
        if (failed_.empty()) return {};
        if (!has_converged()) return (passed_ + failed_.back()) / 2;
        if (!sure_ && repeats_ < most_repeats) return failed_.back();
        return {};
    }
    // Records the result of the trial at next().
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

    [[nodiscard]] double fastest() const { return passed_; }  // 0: no rate passed

  private:
    [[nodiscard]] bool has_converged() const { return failed_.back() - passed_ <= step_; }

    double step_;
    double passed_ = 0;
    std::vector<double> failed_;  // failed rates above passed_, falling
    bool sure_ = false;           // whether the lowest failed rate failed twice
    std::size_t repeats_ = 0;
};

}  // namespace sluice::gen

// MlrSearch: chooses the next load and the length of its trial, until it has the two loads between
// which a noisy device begins to lose too many frames: MLRsearch (draft-ietf-bmwg-mlrsearch), with
// one goal.
//
// A load is judged by all its trials, not by one. The terms of a goal:
//   loss ratio           a trial that lost at most this share of its frames has low loss
//   exceed ratio         the share of the time at a load that may have high loss
//   final trial, sum     trials have the final length, until they add up to the sum or no further
//                        trial can change the verdict
//   width                the largest distance between both bounds, as a share of the upper one
// By these a load is a lower bound, an upper bound or undecided; it is tried again until it is
// decided, with short trials of earlier steps weighted as in the draft. The result is the lowest
// upper bound, and the highest lower bound below it.
// Two steps precede the goal, with shorter trials, one trial a load, and two and four times the
// width, so that most of the time is spent near the bounds. The first trial is at the highest load,
// the next at the rate that the first delivered.
// Bound: at most (sum / final trial) trials a load, and as many halvings as the width requires.
// Not here: trials, time, several goals at once, and the unit of a load: it may be any number that
// rises with the traffic.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "dataplane/types/units.h"

namespace sluice::gen {

struct MlrGoal {
    double loss_ratio = 0;      // share of 1
    double exceed_ratio = 0.5;  // below 1
    double width = 0.005;       // above 0, below 1
    Nanos final_trial{1'000'000'000};
    Nanos duration_sum{21'000'000'000};  // no less than the final trial
};

class MlrSearch {
  public:
    struct Next {
        double load;
        Nanos duration;
    };

    // The duration of the first trial.
    [[nodiscard]] static Nanos first_trial(const MlrGoal& goal);

    // Loads are searched from `least` (above 0) to `most`.
    MlrSearch(const MlrGoal& goal, double least, double most);

    // Returns the next trial; none if the search is over.
    [[nodiscard]] std::optional<Next> next() const;
    // Records the result of the trial at next(): the share of frames lost.
    void record(double loss_ratio);

    // Returns none if even the lowest load lost too many frames.
    [[nodiscard]] std::optional<double> lower() const { return bounds(goal_).lower; }
    // Returns none if not even the highest load lost too many frames.
    [[nodiscard]] std::optional<double> upper() const { return bounds(goal_).upper; }
    // Returns the delivered part of the lower bound's load, by the worst trial that the exceed
    // ratio does not excuse; 0 if there is no lower bound.
    [[nodiscard]] double conditional_throughput() const;

  private:
    enum class Bound : uint8_t { lower, upper, undecided };
    struct Trial {
        Nanos duration;
        double loss_ratio;
    };
    struct Bounds {
        std::optional<double> lower;
        std::optional<double> upper;
    };

    [[nodiscard]] Bound classify(const std::vector<Trial>& trials, const MlrGoal& goal) const;
    [[nodiscard]] Bounds bounds(const MlrGoal& goal) const;
    // Returns the load that the step has yet to try; none if its interval is narrow enough.
    [[nodiscard]] std::optional<double> wanted(const MlrGoal& step) const;
    // Return the next higher or lower load that was tried. If no lower load was tried, `below`
    // returns half of `load`, at least `least_`.
    [[nodiscard]] double above(double load) const;
    [[nodiscard]] double below(double load) const;

    static constexpr std::size_t steps = 3;  // the last step is the goal itself

    const MlrGoal goal_;
    const double least_;
    const double most_;
    std::array<MlrGoal, steps> steps_;
    std::map<double, std::vector<Trial>> trials_;  // by load
    std::size_t step_ = 0;
    Bounds hint_;  // bounds of the previous step
};

}  // namespace sluice::gen

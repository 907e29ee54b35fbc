#include "tools/gen/benchmarks/mlr_search.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sluice::gen {
namespace {

constexpr Nanos short_trial{1'000'000'000};

double seconds(Nanos time) { return static_cast<double>(time.count()) / 1e9; }

}  // namespace

Nanos MlrSearch::first_trial(const MlrGoal& goal) {
    return std::min(short_trial, goal.final_trial);
}

MlrSearch::MlrSearch(const MlrGoal& goal, double least, double most)
    : goal_(goal), least_(least), most_(most) {
    steps_.fill(goal);
    const double shortest = seconds(first_trial(goal));
    const double longer = seconds(goal.final_trial) / shortest;
    for (std::size_t step = 0; step + 1 < steps; ++step) {
        // At each load of a step one trial is enough. The trials become longer from step to step,
        // up to those of the goal.
        const double share = static_cast<double>(step) / (steps - 1);
        const Nanos trial(std::llround(shortest * std::pow(longer, share) * 1e9));
        steps_[step].final_trial = steps_[step].duration_sum = trial;
        const double wider = std::exp2(static_cast<double>(steps - 1 - step));
        steps_[step].width = std::min(goal.width * wider, 0.5);
    }
    hint_.upper = most;
}

MlrSearch::Bound MlrSearch::classify(const std::vector<Trial>& trials, const MlrGoal& goal) const {
    double low = 0;
    double high = 0;
    double short_low = 0;
    double short_high = 0;
    for (const Trial& trial : trials) {
        const bool is_low = trial.loss_ratio <= goal.loss_ratio;
        const bool is_short = trial.duration < goal.final_trial;
        (is_short ? is_low ? short_low : short_high
         : is_low ? low
                  : high) += seconds(trial.duration);
    }
    // Short trials with low loss do not count by themselves: they only cancel short trials with
    // high loss. One second of low loss cancels as many seconds of high loss as the exceed ratio
    // allows.
    const double balanced = short_low * goal.exceed_ratio / (1 - goal.exceed_ratio);
    const double effective_high = high + std::max(short_high - balanced, 0.0);
    const double whole = std::max(effective_high + low, seconds(goal.duration_sum));
    const double may_exceed = whole * goal.exceed_ratio;
    // Two extreme cases of the time that the sum still lacks: all of it has low loss; all of it has
    // high loss.
    const bool at_best = effective_high <= may_exceed;
    const bool at_worst = whole - low <= may_exceed;
    if (at_best != at_worst) return Bound::undecided;
    return at_best ? Bound::lower : Bound::upper;
}

MlrSearch::Bounds MlrSearch::bounds(const MlrGoal& goal) const {
    Bounds found;
    for (const auto& [load, trials] : trials_) {
        switch (classify(trials, goal)) {
            case Bound::lower:
                found.lower = load;
                break;
            case Bound::upper:
                found.upper = load;
                return found;
            case Bound::undecided:
                break;
        }
    }
    return found;
}

// A higher load was always tried, because the first trial is at the highest load.
double MlrSearch::above(double load) const { return trials_.upper_bound(load)->first; }

double MlrSearch::below(double load) const {
    const auto tried = trials_.find(load);
    if (tried != trials_.begin()) return std::prev(tried)->first;
    return std::max(load / 2, least_);
}

std::optional<double> MlrSearch::wanted(const MlrGoal& step) const {
    const auto [lower, upper] = bounds(step);
    const auto is_open = [&](double load) {
        const auto found = trials_.find(load);
        return found == trials_.end() || classify(found->second, step) == Bound::undecided;
    };
    const double floor = lower.value_or(0);
    const double ceiling = upper.value_or(2 * most_);
    if (lower && (upper ? *upper - *lower <= step.width * *upper : *lower >= most_)) return {};
    if (!lower && upper && *upper <= least_) return {};
    // Loads that an earlier step found, or whose trials have begun, are tried first.
    for (const auto& hint : {hint_.upper, hint_.lower}) {
        if (hint && *hint > floor && *hint < ceiling && is_open(*hint)) return hint;
    }
    if (!upper) return above(*lower);
    if (!lower) return below(*upper);
    return std::sqrt(*lower * *upper);
}

std::optional<MlrSearch::Next> MlrSearch::next() const {
    const auto load = wanted(steps_[step_]);
    if (!load) return {};
    return Next{*load, steps_[step_].final_trial};
}

void MlrSearch::record(double loss_ratio) {
    const Next done = next().value();
    const bool is_first = trials_.empty();
    trials_[done.load].push_back({done.duration, loss_ratio});
    if (is_first) hint_.lower = std::max(done.load * (1 - loss_ratio), least_);
    while (step_ + 1 < steps && !wanted(steps_[step_])) {
        hint_ = bounds(steps_[step_]);
        ++step_;
    }
}

double MlrSearch::conditional_throughput() const {
    const auto load = lower();
    if (!load) return 0;
    std::vector<Trial> final_ones;
    double whole = 0;
    for (const Trial& trial : trials_.at(*load)) {
        if (trial.duration < goal_.final_trial) continue;
        final_ones.push_back(trial);
        whole += seconds(trial.duration);
    }
    std::ranges::sort(final_ones, {}, &Trial::loss_ratio);
    double left = std::max(whole, seconds(goal_.duration_sum)) * (1 - goal_.exceed_ratio);
    double loss_ratio = 0;
    for (const Trial& trial : final_ones) {
        if (left <= 0) break;
        loss_ratio = trial.loss_ratio;
        left -= seconds(trial.duration);
    }
    return *load * (1 - loss_ratio);
}

}  // namespace sluice::gen

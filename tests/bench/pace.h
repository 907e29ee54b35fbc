// Pace: how fast a core runs just now. Somebody else's thread on the other half of it, or a lower
// clock, makes everything on it slower, for milliseconds or for hours; a round that is seen to have
// met with that is not to count. It is looked at around a round, and within a long one, so what is
// shorter than a round may go unseen: figures are medians.
//
// The pace is that of a chain of additions, each of which waits for the one before: a cycle of the
// core each, and none of memory's. It is given in cycles of the time stamp counter, whose own pace
// never changes: below 1 where the core runs above its nominal clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tests/bench/report.h"

namespace sluice::bench {

// Of the calling thread's core. Takes some ten microseconds.
inline double pace_now() {
    constexpr int additions = 20'000;
    uint64_t sum = 0;
    const uint64_t start = cycles();
    for (int n = 0; n < additions; ++n) asm volatile("add $1, %0" : "+r"(sum));
    return static_cast<double>(cycles() - start) / additions;
}

// The figures of rounds, each with the slowest pace seen around it. Those count whose pace was
// within a tenth of the best of them, and where these are few, the tenth of all that had the best.
class Rounds {
  public:
    template <class Measure>
    void add(Measure measure) {
        const double before = pace_now();
        const double figure = measure();
        add(figure, std::max(before, pace_now()));
    }
    void add(double figure, double pace) {
        rounds_.push_back({pace, figure});
        best_ = std::min(best_, pace);
    }

    // For who may go on: whether twenty of sixty count, or of at most three hundred.
    [[nodiscard]] bool enough() const {
        return rounds_.size() >= 60 && (undisturbed() >= 20 || rounds_.size() >= 300);
    }
    // The median of those that count.
    [[nodiscard]] double figure() const {
        std::vector<double> figures;
        for (const Round& round : counted()) figures.push_back(round.figure);
        return middle_of(std::move(figures));
    }
    // `undisturbed`: the share of rounds within a tenth; `pace`: the median of those that count.
    void tell(nlohmann::ordered_json& fields) const {
        std::vector<double> paces;
        for (const Round& round : counted()) paces.push_back(round.pace);
        fields["undisturbed"] =
            static_cast<double>(undisturbed()) / static_cast<double>(rounds_.size());
        fields["pace"] = middle_of(std::move(paces));
    }

  private:
    struct Round {
        double pace;
        double figure;
    };
    [[nodiscard]] std::size_t undisturbed() const {
        return static_cast<std::size_t>(std::ranges::count_if(
            rounds_, [&](const Round& round) { return round.pace <= 1.1 * best_; }));
    }
    [[nodiscard]] std::vector<Round> counted() const {
        std::vector<Round> rounds = rounds_;
        std::ranges::sort(rounds, {}, &Round::pace);
        rounds.resize(std::max(undisturbed(), (rounds.size() + 9) / 10));
        return rounds;
    }

    double best_ = std::numeric_limits<double>::infinity();
    std::vector<Round> rounds_;
};

}  // namespace sluice::bench

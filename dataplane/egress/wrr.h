// Wrr: serves each backlogged priority `weight` frames a round, the higher priority first.
// Bound: a priority waits at most the sum of the others' weights, in frames. O(1) a frame.
// Counts frames, not octets, so long frames get a larger share of the rate; Dwrr avoids that.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>

#include "dataplane/egress/strict_priority.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice {

class Wrr {
  public:
    static constexpr Discipline discipline = Discipline::wrr;
    static constexpr std::string_view key = "wrr";

    void configure(const std::array<uint16_t, max_priorities>& weight) { weight_ = weight; }

    // Returns the priority that sends next. `eligible` is not empty.
    Priority next(PrioritySet eligible) {
        assert(eligible != 0);
        if ((eligible & only_priority(cursor_)) == 0 || left_[cursor_] <= 0) {
            cursor_ = next_in_round(eligible, cursor_);
            left_[cursor_] += weight_[cursor_];
            if (left_[cursor_] > weight_[cursor_]) left_[cursor_] = weight_[cursor_];
        }
        assert(left_[cursor_] > 0);
        --left_[cursor_];
        return cursor_;
    }

  private:
    Priority cursor_ = 0;
    std::array<int32_t, max_priorities> left_{};  // frames left in this round
    std::array<uint16_t, max_priorities> weight_{};
};

}  // namespace sluice

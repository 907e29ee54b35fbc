// Wrr: serves each backlogged priority `weight` frames a round, the higher priority first.
// Bound: a priority waits at most the sum of the others' weights, in frames; once more that sum for
// those that a pause had cut short, and what the device refused is served besides. O(1) a frame.
// Counts frames, not octets, so long frames gain; Dwrr does not have that.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "dataplane/egress/strict_priority.h"
#include "dataplane/limits.h"

namespace sluice {

class Wrr {
  public:
    void configure(const std::array<uint16_t, max_priorities>& weight) { weight_ = weight; }

    // Whose frame goes next. `eligible` is not empty; of the rest, those in `backlogged` keep up to
    // one round of what they had left.
    Priority next(PrioritySet eligible, PrioritySet backlogged) {
        if ((eligible & only_priority(cursor_)) == 0 || left_[cursor_] <= 0) {
            const int32_t kept =
                (backlogged & only_priority(cursor_)) == 0 ? 0 : int32_t{weight_[cursor_]};
            left_[cursor_] = std::min(left_[cursor_], kept);
            cursor_ = next_in_round(eligible, cursor_);
            left_[cursor_] += weight_[cursor_];
        }
        --left_[cursor_];
        return cursor_;
    }
    // That frame was not taken after all.
    void refund(Priority priority) { ++left_[priority]; }

  private:
    Priority cursor_ = 0;
    std::array<int32_t, max_priorities> left_{};  // frames in this round
    std::array<uint16_t, max_priorities> weight_{};
};

}  // namespace sluice

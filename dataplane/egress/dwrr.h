// Dwrr: deficit weighted round robin; shares octets by weight, for frames of any length.
//
// Each visit of a round adds weight x 2048 octets to a priority's deficit; the priority is served
// while its next frame fits. A priority keeps the rest of its deficit while it has frames, and
// loses it when it has none. When a pause ends a visit early, the priority keeps at most one
// visit's deficit; otherwise each XON would add another.
// Bound: over any time in which two priorities are both backlogged, their service differs from
// their weights by at most one visit and one frame each. O(1) a frame up to 2048 octets, and at
// most length / 2048 rounds for a longer one.
// Follows: Shreedhar and Varghese, "Efficient Fair Queuing Using Deficit Round-Robin" (1996).
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>

#include "dataplane/egress/strict_priority.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice {

class Dwrr {
  public:
    static constexpr Discipline discipline = Discipline::dwrr;
    static constexpr std::string_view key = "dwrr";
    static constexpr int64_t octets_a_weight = 2048;

    void configure(const std::array<uint16_t, max_priorities>& weight) { weight_ = weight; }

    // Returns the priority that sends next. `head` returns the length of a priority's first frame.
    // `eligible` is not empty. Priorities in `backlogged` that are not eligible keep their deficit.
    template <class HeadLength>
    Priority next(PrioritySet eligible, PrioritySet backlogged, HeadLength head) {
        assert(eligible != 0 && (eligible & ~backlogged) == 0);
        while ((eligible & only_priority(cursor_)) == 0 || deficit_[cursor_] < head(cursor_)) {
            if ((eligible & only_priority(cursor_)) == 0) {
                const bool keeps = (backlogged & only_priority(cursor_)) != 0;
                deficit_[cursor_] = std::min(deficit_[cursor_], keeps ? visit(cursor_) : Bytes(0));
            }
            cursor_ = next_in_round(eligible, cursor_);
            assert(weight_[cursor_] > 0 && "else its deficit would never suffice");
            deficit_[cursor_] += visit(cursor_);
        }
        deficit_[cursor_] -= head(cursor_);
        assert(deficit_[cursor_] >= Bytes(0));
        return cursor_;
    }

  private:
    [[nodiscard]] Bytes visit(Priority priority) const {
        return Bytes(octets_a_weight * weight_[priority]);
    }

    Priority cursor_ = 0;
    std::array<Bytes, max_priorities> deficit_;
    std::array<uint16_t, max_priorities> weight_{};
};

}  // namespace sluice

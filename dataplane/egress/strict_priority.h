// StrictPriority: the highest of the eligible priorities, always.
// Bound: one instruction. A lower priority waits as long as a higher one has frames.
#pragma once

#include <bit>

#include "dataplane/types/limits.h"

namespace sluice {

// `eligible` is not empty.
constexpr Priority highest(PrioritySet eligible) {
    return static_cast<Priority>(std::bit_width(eligible) - 1);
}

// The next member of `eligible` after `cursor`, downwards and wrapping around: the order of a
// round.
constexpr Priority next_in_round(PrioritySet eligible, Priority cursor) {
    const auto below = static_cast<PrioritySet>(eligible & (only_priority(cursor) - 1));
    return highest(below != 0 ? below : eligible);
}

}  // namespace sluice

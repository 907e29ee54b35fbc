// Strict priority: `highest` of the eligible priorities (types/limits.h), always; a lower priority
// waits as long as a higher one has frames. Here is the order in which priorities take turns.
// Bound: some instructions.
#pragma once

#include <cassert>

#include "dataplane/types/limits.h"

namespace sluice {

// The next member of `eligible` after `cursor`, downwards and wrapping around: the order of a
// round.
constexpr Priority next_in_round(PrioritySet eligible, Priority cursor) {
    assert(eligible != 0 && cursor < max_priorities);
    const auto below = static_cast<PrioritySet>(eligible & (only_priority(cursor) - 1));
    return highest(below != 0 ? below : eligible);
}

}  // namespace sluice

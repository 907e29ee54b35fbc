// Strict priority: the `highest` of the eligible priorities (types/limits.h) always sends; a lower
// one waits while a higher one has frames. This file has the order in which priorities take turns.
// Bound: some instructions.
#pragma once

#include <cassert>

#include "dataplane/types/limits.h"

namespace sluice {

// Returns the next member of `eligible` after `cursor` in a round: downwards, with wrap-around.
constexpr Priority next_in_round(PrioritySet eligible, Priority cursor) {
    assert(eligible != 0 && cursor < max_priorities);
    const auto below = static_cast<PrioritySet>(eligible & (only_priority(cursor) - 1));
    return highest(below != 0 ? below : eligible);
}

}  // namespace sluice

// Finds the longest burst, or run, without loss: a bisection (search.h) over a number of frames.
//
// Bound: that of Search. Not here: traffic.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "tools/gen/benchmarks/search.h"

namespace sluice::gen {

// Returns the number of frames; 0 if no number that was tried passes; none if interrupted.
// `passes(frames)` returns whether this many frames pass, or none if interrupted. `most` frames are
// tried first; `resolution` is a share of `most`, at least one frame.
template <class Passes>
std::optional<double> find_longest(double most, double resolution, Passes passes) {
    const std::optional<bool> first = passes(most);
    if (!first) return {};
    Search search(most, *first, std::max(resolution, 1 / most));
    while (const auto frames = search.next()) {
        const std::optional<bool> passed = passes(*frames);
        if (!passed) return {};
        search.record(*passed);
    }
    return std::round(search.fastest());
}

}  // namespace sluice::gen

// The longest burst, or run, that loses nothing: a search by halves (search.h) over a number of
// frames.
//
// Bound: that of Search. Not done here: traffic.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "tools/gen/benchmarks/search.h"

namespace sluice::gen {

// `passes(frames)`: whether so many pass; empty: interrupted, and then there is no result. `most`
// frames are tried first; `resolution` is a share of them, at least one frame. Returns 0 if not
// even the fewest passed.
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

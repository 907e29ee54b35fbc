// SimSweep: the keys and values of a sweep, and the resulting list of runs.
//
// A run is one combination of values, which override those of the file
// (tools/sim/scenario/override.h). Its number is its position in the list, which depends only on
// the arguments: it is the same on every machine. A value of two whole numbers with `..` between is
// a range: `run.seed=1..1000`.
// Bound: 100,000 runs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tools/common/table.h"
#include "tools/sim/scenario/override.h"

namespace sluice::cli {

inline constexpr std::size_t most_combinations = 100'000;

using Changes = std::vector<sim::Override>;

struct Swept {
    std::string key;
    std::vector<std::string> values;
};
// Parses `KEY=V1,V2,...`; commas inside brackets do not separate. On failure returns the fault.
tl::expected<Swept, std::string> parse_sweep(std::string_view word);

// Returns the combinations; the value of the last key changes first. If there are too many, the
// result is longer than the limit, but not complete.
std::vector<Changes> combinations(const std::vector<Swept>& swept);

struct Sweep {
    std::string file;
    std::string text;
    Changes changes;  // changes in every combination
    std::vector<Swept> swept{};

    // Returns the changes that override the text in this combination.
    [[nodiscard]] Changes changes_in(const Changes& combination) const;
};
// Returns a key that is both swept and set, or swept twice, as the labels of the rows would be
// wrong; empty if there is none.
std::string key_given_twice(const Sweep& sweep);

// Returns the changes, each as KEY=VALUE.
Json words_of(const Changes& changes);

}  // namespace sluice::cli

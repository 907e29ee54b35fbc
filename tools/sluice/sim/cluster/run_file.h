// RunFile: the outcome of one run as the text of a file, and back.
//
// It says which run it is of (`run`), of which scenario, values and simulator (`key`), and what its
// rows come to (`check`). Text that is cut short, damaged, or of something else is nothing.
// Numbers come back as they went: what is reduced from files prints the octets that it would have
// printed without them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tools/sluice/sim/outcome.h"

namespace sluice::cli {

inline constexpr std::size_t longest_run_file = 4 * 1024 * 1024;

std::string text_of_run(std::size_t run, std::string_view key, const Outcome& outcome);
std::optional<Outcome> outcome_of(std::string_view text, std::size_t run, std::string_view key);

}  // namespace sluice::cli

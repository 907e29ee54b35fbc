// RunFile: writes the outcome of one run as the text of a file, and reads it.
//
// The text has the number of the run (`run`), a digest of scenario, values and simulator (`key`),
// and a checksum of its rows (`check`). Text that is truncated, damaged, or of another run is
// rejected. Numbers are read back exactly: results from files print the same octets as results
// without files.
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

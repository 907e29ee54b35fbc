// Top: `sluice top` on a terminal: one view of the switch at a time, with rates between two
// snapshots, controlled by keys until `q` or a signal.
//
// A snapshot requests sluiced's ports, workers and buffer, and the view's noun. While the display
// is held, no request is made. A failed request ends `sluice top`, after the terminal is restored.
// Bound: two answers are kept. Not here: output to files and pipes (commands.h).
#pragma once

#include <optional>

#include "tools/sluice/commands.h"

namespace sluice::cli::top {

// Returns the exit status; none if there is no terminal.
std::optional<int> run(const TopOptions& options);

}  // namespace sluice::cli::top

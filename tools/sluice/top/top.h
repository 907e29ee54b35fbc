// Top: `sluice top` on a terminal: one view of the switch at a time, with rates between two looks,
// changed by keys until `q` or a signal.
//
// A look asks sluiced for its ports, workers and buffer, and for the view's noun. Held, it asks for
// nothing. What cannot be asked for ends it, with the terminal put back first.
// Bound: two answers are kept. Not done here: what goes to files and pipes (commands.h).
#pragma once

#include <optional>

#include "tools/sluice/commands.h"

namespace sluice::cli::top {

// What to exit with; nothing: there is no terminal to show it on.
std::optional<int> run(const TopOptions& options);

}  // namespace sluice::cli::top

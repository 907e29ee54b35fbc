// Set: changes single keys of a running sluiced, without a file: the running configuration with one
// change is adopted as by `apply`, as a whole or not at all.
//
// Several sets, also by several users, accumulate: each changes the present running configuration,
// and is retried if another change was faster. Comments of the running configuration stay
// (config/edit/). It can also change keys of a file, for keys that need a restart; the result is
// checked before it is written. Bound: ten retries. Not here: writing the running configuration to
// a file (save.h).
#pragma once

#include <string>
#include <vector>

namespace sluice::cli {

struct SetOptions {
    std::string socket;
    std::vector<std::string> words;  // for `set`, pairs of PATH VALUE; for `unset`, PATHs
    bool unset = false;
    std::string file = {};        // file to edit; empty: the running configuration
    unsigned confirm_within = 0;  // seconds; 0: without confirmation
    bool json = false;
};
int set(const SetOptions& options);

}  // namespace sluice::cli

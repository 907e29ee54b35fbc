// Set: changes single keys of a running sluiced, without a file: the running configuration with one
// change is adopted as by `apply`, as a whole or not at all.
//
// Several sets, also by several users, add up: each changes the configuration that then runs, and
// is retried if another change was faster. Comments of the running configuration stay
// (config/edit/). It can also change keys of a file, for the next start, for keys that need a
// restart; the result is checked before it is written. Bound: ten retries. Not done here: writing
// the running configuration into a file (save.h).
#pragma once

#include <string>
#include <vector>

namespace sluice::cli {

struct SetOptions {
    std::string socket;
    std::vector<std::string> words;  // of `set` PATH VALUE, in pairs; of `unset` PATH
    bool unset = false;
    std::string file = {};        // edited in place of the running configuration; empty: none
    unsigned confirm_within = 0;  // seconds; 0: for good
    bool json = false;
};
int set(const SetOptions& options);

}  // namespace sluice::cli

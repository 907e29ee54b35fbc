// Set: single keys of what a running sluiced does, without a file: the running configuration with
// one place changed is adopted as `apply` would, whole or not at all.
//
// Several sets add up, of several people too: each changes what runs by then, and where another one
// was faster it is tried again. Comments of the running configuration stay (config/edit/).
// Or keys of a file, for the next start: what needs one. It is checked before it is written.
// Bound: tries ten times.
// Not done here: what runs into a file (save.h).
#pragma once

#include <string>
#include <vector>

namespace sluice::cli {

struct SetOptions {
    std::string socket;
    std::vector<std::string> words;  // of `set` PATH VALUE, in pairs; of `unset` PATH
    bool unset = false;
    std::string file = {};        // that is changed in place of what runs; empty: none
    unsigned confirm_within = 0;  // seconds; 0: for good
    bool json = false;
};
int set(const SetOptions& options);

}  // namespace sluice::cli

// Changes: compares two configurations key by key, by their effective values. Writing out a
// default, or moving a value to `defaults`, is no change.
//
// Elements of lists are matched by their names or ids, if they have any, else by their positions. A
// renamed port with the same device is matched by its old name.
// Bound: both texts must have been loaded without faults. A key with a computed default counts only
// if it is written. Not here: which changes need a restart (difference.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

struct Change {
    std::string path;                 // `ports[left].rate`
    std::optional<std::string> from;  // value in the old file; none: missing there, or computed
    std::optional<std::string> to;
};

// Returns the changes in the order of their paths.
std::vector<Change> changes(std::string_view from, std::string_view to);

}  // namespace sluice::config

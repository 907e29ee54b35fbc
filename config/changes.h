// Changes: the differences between two configurations, key by key, by their effective values: a
// default that the other file writes out is no change, and neither is a value that moved to
// `defaults`.
//
// Elements of lists are matched by their names or ids, if they have any, else by their positions. A
// renamed port with the same device is matched by its old name.
// Bound: for texts that have been loaded. A key with a computed default counts only if it is
// written. difference.h tells which changes need a restart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::config {

struct Change {
    std::string path;                 // `ports[left].rate`
    std::optional<std::string> from;  // none: not there, or worked out
    std::optional<std::string> to;
};

// In the order of their paths.
std::vector<Change> changes(std::string_view from, std::string_view to);

}  // namespace sluice::config

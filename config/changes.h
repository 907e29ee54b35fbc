// Changes: what one configuration says otherwise than another, key by key, as what holds: a value
// that is a default in one file and written out in the other is no change, and neither is one that
// has moved to `defaults`.
//
// Elements of lists are matched by their names or ids where they have them, else by their places; a
// port that has another name, and the device that it had, by the name that it had.
// Bound: for texts that have been loaded. A key whose default is worked out counts where it is
// written. Which of them need a restart is for difference.h.
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

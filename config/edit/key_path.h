// KeyPath: the name of one key, found in the schema and in a document: `defaults.pfc.lossless`,
// `ports.host1.mtu`; also in the forms of `diff` (`ports[host1].mtu`) and faults (`ports[0].mtu`).
//
// An element of a list is identified by its name or id, or else by its position from 0 on. For
// names with dots the longest match counts, or the name is put in brackets. In a list whose
// elements have names, an unknown name stands for a new element. Bound: 16 steps, the depth of a
// document. Not done here: checking values (reader.h, validate.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "config/schema.h"
#include "config/yaml/document.h"

namespace sluice::config {

struct PathStep {
    const Key* key = nullptr;          // what the value there is
    std::string name;                  // of a key or an element, as it is written
    std::optional<std::size_t> place;  // among the items of the node above; none: it is not there
    const Key* label = nullptr;        // of a new element: its key that has the name
};

struct KeyPath {
    std::vector<PathStep> steps;  // from the top on; one at least
    std::string text;             // as messages call it

    // Returns the number of steps of the path that exist.
    [[nodiscard]] std::size_t known() const;
};

// Or a line that says why not.
tl::expected<KeyPath, std::string> key_path(std::string_view text, const Node& document);

// Returns the name of an element of a list of maps, as used in a path.
std::string name_of_element(const Key& element, const Node& item, std::size_t place);

}  // namespace sluice::config

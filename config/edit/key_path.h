// KeyPath: finds one key in the schema and in a document: `defaults.pfc.lossless`,
// `ports.host1.mtu`; also in the forms of `diff` (`ports[host1].mtu`) and faults (`ports[0].mtu`).
//
// An element of a list is identified by its name or id, or else by its position from 0 on. The
// longest name that fits counts, as names may have dots; a name in brackets is exact. An unknown
// name stands for a new element if elements of the list have names. Bound: 16 steps, the depth of a
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
    const Key* key = nullptr;          // the schema's row for this step
    std::string name;                  // name of the key or element, as it is written
    std::optional<std::size_t> place;  // index in the items of the node above; none: missing
    const Key* label = nullptr;        // for a new element: the key that holds the element's name
};

struct KeyPath {
    std::vector<PathStep> steps;  // from the top of the file down; at least one
    std::string text;             // the path for messages

    // Returns the number of steps of the path that exist.
    [[nodiscard]] std::size_t known() const;
};

// Returns the path, or one line with the reason why it names no key.
tl::expected<KeyPath, std::string> key_path(std::string_view text, const Node& document);

// Returns the name of an element of a list of maps, as used in a path.
std::string name_of_element(const Key& element, const Node& item, std::size_t place);

}  // namespace sluice::config

// Document: parses YAML text into a tree of nodes with positions, without types or defaults.
//
// Built from yaml-cpp's events, as its nodes do not show a key written twice, an alias or a tag.
// Aliases and tags are faults: a configuration needs neither, and without them a small text cannot
// stand for a large tree.
// Bound: 1 MiB of UTF-8, one document, 16 levels; memory is a small multiple of the text.
// Follows: YAML 1.2 as yaml-cpp 0.7 reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/yaml/fault.h"

namespace sluice::config {

struct Node {
    // `unusable`: a fault of the node has been reported; readers skip it.
    enum class Kind : uint8_t { nothing, scalar, list, map, unusable };

    Kind kind = Kind::nothing;
    Position at;
    std::string text;  // text of a scalar
    // Keys of a map, each a scalar or unusable; keys[i] belongs to items[i].
    std::vector<Node> keys;
    std::vector<Node> items;  // items of a list, or values of a map
};

inline constexpr std::size_t largest_file = 1024 * 1024;

// Reports a text that is too large, and returns whether it is.
bool is_too_large(std::string_view text, Report& report);

// Returns nothing if the text is not YAML. All faults are in the report, whether a tree is returned
// or not.
std::optional<Node> read_document(std::string_view text, Report& report);

}  // namespace sluice::config

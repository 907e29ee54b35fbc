// Document: YAML text as a tree of nodes with positions, and nothing else: no types, no defaults.
//
// Built from yaml-cpp's events, not its nodes, because events show what nodes hide: a key written
// twice, an alias, a tag. Aliases and tags are faults: a configuration needs neither, and without
// them a small text cannot stand for a large tree.
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
    // `unusable`: something that has been reported already; to be passed over in silence.
    enum class Kind : uint8_t { nothing, scalar, list, map, unusable };

    Kind kind = Kind::nothing;
    Position at;
    std::string text;         // of a scalar
    std::vector<Node> keys;   // of a map: scalars, or unusable; keys[i] belongs to items[i]
    std::vector<Node> items;  // of a list or a map
};

inline constexpr std::size_t largest_file = 1024 * 1024;

// Whether the text is too large; reports it.
bool is_too_large(std::string_view text, Report& report);

// Returns nothing if the text cannot be read as YAML at all. Faults of either kind are in the
// report.
std::optional<Node> read_document(std::string_view text, Report& report);

}  // namespace sluice::config

// Override: a value that replaces that of a scenario's file: `flows[0].rate` becomes `5G`.
//
// It is set in the document before anything is read, so that it is checked like a written value. A
// path is keys separated by dots; an item of a list is `[n]`, or its `name`: `flows.incast.rate`.
// Missing maps are added; the reader checks whether keys exist. A value is read as YAML: `[0, 3]`
// is a list.
// Bound: 16 steps a path.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "config/yaml/document.h"
#include "config/yaml/fault.h"

namespace sluice::sim {

struct Override {
    std::string path;
    std::string value;
};

// Reads `KEY=VALUE`; or returns what is wrong with the argument.
tl::expected<Override, std::string> parse_override(std::string_view word);

// A fault in the value of override `number` has no line: its line is 0, its column is `number`.
constexpr config::Position place_of_override(std::size_t number) {
    return {0, static_cast<int>(number)};
}

// The same with a value that has been read; faults are reported at its position.
void set_at(config::Node& document, const std::string& path, const config::Node& value,
            config::Report& report);

// Faults of the path or the value are in the report, and then nothing is set.
void apply(config::Node& document, const Override& change, config::Position place,
           config::Report& report);

}  // namespace sluice::sim

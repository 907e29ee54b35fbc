// Override: a value that replaces one of a scenario's file: `flows[0].rate` becomes `5G`.
//
// It is set in the document before any value is read, so that it is checked like a value of the
// file. A path is keys separated by dots; an item of a list is `[n]`, or its `name`:
// `flows.incast.rate`. Missing maps are added; the reader checks whether keys exist. A value is
// read as YAML: `[0, 3]` is a list.
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

// Reads `KEY=VALUE`. Returns what is wrong with `word` if it has another form.
tl::expected<Override, std::string> parse_override(std::string_view word);

// Position of a fault in the value of override `number`: line 0, column `number`.
constexpr config::Position place_of_override(std::size_t number) {
    return {0, static_cast<int>(number)};
}

// Sets a value that was already parsed. Faults are reported at the position of `value`.
void set_at(config::Node& document, const std::string& path, const config::Node& value,
            config::Report& report);

// Sets the value of an override. If path or value have faults, reports them and sets nothing.
void apply(config::Node& document, const Override& change, config::Position place,
           config::Report& report);

}  // namespace sluice::sim

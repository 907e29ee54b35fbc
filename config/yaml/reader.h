// Reader: walks a document along the schema and gives a tree of values with every key in it,
// written or not. A port's unwritten key has the value and the position of `defaults`.
//
// A wrong value is reported, and marked as not valid in the tree, so that later checks can skip it
// and still find other faults. Bound: one visit a node. Lists are read up to the schema's limit,
// and reading stops when the report is full: then the tree is incomplete and must not be used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/schema.h"
#include "config/yaml/document.h"
#include "config/yaml/fault.h"

namespace sluice::config {

struct Value {
    std::string_view name;  // of the key
    std::string path;
    Position at;
    bool written = false;  // in the file, at the port or under `defaults`
    bool valid = true;     // and so is all inside

    int64_t number = 0;        // octets, bits a second, nanoseconds, address, index of the choice
    std::string text;          // name, device, socket
    int64_t table_key = 0;     // of an item of a table
    std::vector<Value> items;  // of a list, a table or a map

    // The value of a map's key. The schema has it, or the program is wrong.
    const Value& operator[](std::string_view key) const;
    [[nodiscard]] bool is_of_defaults() const { return path.starts_with("defaults."); }
    [[nodiscard]] bool is_own() const { return written && !is_of_defaults(); }
    // Whether a list of numbers has this one.
    [[nodiscard]] bool lists(int64_t number) const;
    // More than what takes back what `defaults` says: 0, false or an empty table.
    [[nodiscard]] bool says_something() const {
        return written && valid && (number != 0 || !items.empty());
    }
};

// Returns the remedy for a key that `map` does not have.
std::string remedy_of_unknown(const std::string& name, const Key& map);

Value read_values(const Node& document, Report& report);

}  // namespace sluice::config

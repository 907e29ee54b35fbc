// Reader: walks a document along the schema and returns a tree of values with every key of the
// schema, written or not. A port's unwritten key has the value and the position of `defaults`.
//
// A wrong value is reported and marked as invalid, so that later checks can skip it and still find
// other faults. Bound: one visit for each node. Lists are read up to the schema's limit, and
// reading stops when the report is full: then the tree is incomplete and must not be used.
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
    std::string_view name;  // name of the key
    std::string path;
    Position at;
    bool written = false;  // written in the file, at the port or under `defaults`
    bool valid = true;     // the value and all values in it are valid

    int64_t number = 0;        // octets, bits a second, nanoseconds, address, index of the choice
    std::string text;          // text of a name, a device, a socket
    int64_t table_key = 0;     // number of an item of a table
    std::vector<Value> items;  // items of a list or table, values of a map

    // Returns the value of a map's key, which the schema must have.
    const Value& operator[](std::string_view key) const;
    [[nodiscard]] bool is_of_defaults() const { return path.starts_with("defaults."); }
    [[nodiscard]] bool is_own() const { return written && !is_of_defaults(); }
    // Returns whether a list of numbers has this number.
    [[nodiscard]] bool lists(int64_t number) const;
    // Returns whether the value has content. 0, false or an empty table only switches off a value
    // of `defaults`.
    [[nodiscard]] bool says_something() const {
        return written && valid && (number != 0 || !items.empty());
    }
};

// Returns the remedy for a key that `map` does not have.
std::string remedy_of_unknown(const std::string& name, const Key& map);

Value read_values(const Node& document, Report& report);

}  // namespace sluice::config

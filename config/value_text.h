// Value text: returns a value as an operator would write it in one line of YAML.
//
// Not done here: a whole file (printed.h).
#pragma once

#include <string>

#include "config/schema.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Returns the text. A map shows only keys that are written or have a default. An unwritten key with
// a computed default has the first words of its description.
std::string text_of(const Key& key, const Value& value);

}  // namespace sluice::config

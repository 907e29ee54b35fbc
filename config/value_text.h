// Value text: what a value that was read says, as an operator would write it in one line of YAML.
//
// Not done here: a whole file (printed.h).
#pragma once

#include <string>

#include "config/schema.h"
#include "config/yaml/reader.h"

namespace sluice::config {

// Of a map only keys that are written or have a default; of an unwritten key whose default is
// worked out, the first of the words for it.
std::string text_of(const Key& key, const Value& value);

}  // namespace sluice::config

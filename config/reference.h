// Reference: describes the schema in words, for the remedies of faults and for README.md.
#pragma once

#include <string>

#include "config/schema.h"

namespace sluice::config {

// Returns the values that may be written: `a size from 68B to 9702B in B, KiB, MiB or GiB`.
std::string expected(const Key& key);

// Returns the key's help, and whether a change needs a restart.
std::string meaning(const Key& key);

// Returns a Markdown table with a row for each key: key, default, values, meaning.
std::string reference();

}  // namespace sluice::config

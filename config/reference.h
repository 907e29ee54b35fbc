// Reference: the schema in words, for a fault's remedy and for README.md.
#pragma once

#include <string>

#include "config/schema.h"

namespace sluice::config {

// `a size from 68B to 9702B in B, KiB, MiB or GiB`: what may be written.
std::string expected(const Key& key);

// Its help, and whether it needs a restart.
std::string meaning(const Key& key);

// Every key as a row of a Markdown table: key, default, what may be written, meaning.
std::string reference();

}  // namespace sluice::config

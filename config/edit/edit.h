// Edit: one key of a configuration's text set to another value, or taken out; all else in the text
// stays as it is, octet for octet: comments, order, blank lines, quotes.
//
// A value goes in on one line, in YAML's flow form. A new key stands below its neighbours, and maps
// and list elements on the way to it are made. A list or map that would hold nothing goes with its
// last key. Comments beside or within what is taken out go with it; those above it stay.
// Bound: the result is read back, and is the document with that one key changed, or an error.
// Not done here: whether the result is a configuration (loader.h).
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "config/edit/key_path.h"
#include "config/yaml/document.h"

namespace sluice::config {

// Or a line that says why not.
using Edited = tl::expected<std::string, std::string>;

// `value` is YAML: `9000`, `[3, 4]`, `{xoff: 64KiB}`.
Edited set_key(std::string_view text, std::string_view path, std::string_view value);
Edited unset_key(std::string_view text, std::string_view path);

// The same words in the same places, wherever they stand.
bool same(const Node& one, const Node& other);

}  // namespace sluice::config

// Edit: sets or removes one key in the text of a configuration; the rest of the text stays the
// same, octet for octet: comments, order, blank lines, quotes.
//
// A value is written on one line, in YAML's flow form. A new key is placed below its neighbours;
// missing maps and list elements of its path are added. A list or map that becomes empty is removed
// with its last key. Comments beside or within removed text are removed; comments above it stay.
// Bound: the result is parsed again: it is the document with that one key changed, or an error. Not
// done here: checking that the result is a valid configuration (loader.h).
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

// Whether both have the same values at the same keys, wherever they stand in the text.
bool same(const Node& one, const Node& other);

}  // namespace sluice::config

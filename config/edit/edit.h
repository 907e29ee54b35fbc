// Edit: sets or removes one key in the text of a configuration. The rest of the text stays the
// same, octet for octet: comments, order, blank lines, quotes.
//
// A value is written on one line, in YAML's flow form. A new key is inserted below its neighbours;
// missing maps and list elements of its path are added. A list or map is removed with its last key.
// Comments within removed text or on its lines are removed; comments above it stay.
// Bound: the result is parsed again. It is the document with that one key changed, or an error.
// Not done here: checking that the result is a valid configuration (loader.h).
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "config/edit/key_path.h"
#include "config/yaml/document.h"

namespace sluice::config {

// The edited text, or one line with the reason why the text cannot be edited.
using Edited = tl::expected<std::string, std::string>;

// Returns the text with the key set. `value` is YAML: `9000`, `[3, 4]`, `{xoff: 64KiB}`.
Edited set_key(std::string_view text, std::string_view path, std::string_view value);
Edited unset_key(std::string_view text, std::string_view path);

// Returns whether both have the same keys with the same values, in any order and layout.
bool same(const Node& one, const Node& other);

}  // namespace sluice::config

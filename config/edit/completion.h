// Completion: the possible continuations of a key's path, for shells.
//
// One step at a time: a continuation that is not complete ends with a dot. Elements of lists are
// offered by their names in the document, numbers of a table if there are few.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/yaml/document.h"

namespace sluice::config {

// Returns whole paths that begin with `start`; empty if no key's path does.
std::vector<std::string> path_completions(std::string_view start, const Node& document);
// Returns the words that the key's value may be; empty if the key is not a choice.
std::vector<std::string> value_completions(std::string_view path, const Node& document);

}  // namespace sluice::config

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

// Whole paths that begin with `start`; none, where no key does.
std::vector<std::string> path_completions(std::string_view start, const Node& document);
// The words that the key's value may be; none, where it is no choice.
std::vector<std::string> value_completions(std::string_view path, const Node& document);

}  // namespace sluice::config

// Printed: prints a configuration as a file in a canonical form: keys in the order of the schema,
// in blocks, lists of words on one line. Values stay as written; comments are removed.
// Bound: for a valid document; the printed text gives the same Configuration. Keys that are not
// written are not printed, since the presence of some keys has a meaning.
#pragma once

#include <string>
#include <string_view>

#include "config/yaml/document.h"

namespace sluice::config {

std::string printed(const Node& document);
// On one line, as it may stand in any place of a file: `{xoff: 64KiB, lossless: [3, 4]}`.
std::string in_flow_form(const Node& node);
// Returns the printed form of a text that has been loaded.
std::string printed(std::string_view text);

}  // namespace sluice::config

// Printed: prints a configuration as a file in canonical form: keys in the order of the schema, in
// blocks, lists of scalars on one line. Values stay as written; comments are removed.
// Bound: for a valid document; the printed text gives the same Configuration. Keys that are not
// written are not printed, since the presence of some keys has a meaning.
#pragma once

#include <string>
#include <string_view>

#include "config/yaml/document.h"

namespace sluice::config {

std::string printed(const Node& document);
// Returns the node on one line, in YAML's flow form: `{xoff: 64KiB, lossless: [3, 4]}`.
std::string in_flow_form(const Node& node);
// Returns the canonical form of a text that was loaded without faults.
std::string printed(std::string_view text);

}  // namespace sluice::config

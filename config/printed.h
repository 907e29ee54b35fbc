// Printed: a configuration as a file again, in one form whatever it was written in: keys in the
// order of the schema, in blocks, lists of words on one line. Values stay as they were written;
// comments go.
// Bound: for a document that gives a Configuration; the text gives the same one. What is not
// written is not printed, since some keys mean something by being written.
#pragma once

#include <string>
#include <string_view>

#include "config/yaml/document.h"

namespace sluice::config {

std::string printed(const Node& document);
// On one line, as it may stand in any place of a file: `{xoff: 64KiB, lossless: [3, 4]}`.
std::string in_flow_form(const Node& node);
// Of a text that has been loaded.
std::string printed(std::string_view text);

}  // namespace sluice::config

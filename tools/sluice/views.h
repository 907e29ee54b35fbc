// Views: the output of `sluice show NOUN` for people: a table, or a few lines and a table, or a
// sentence if there is nothing to show.
// Not here: the numbers (control/show/snapshot.h).
#pragma once

#include <string>
#include <string_view>

#include "tools/common/sheet.h"

namespace sluice::cli {

// Renders `result`, the answer of sluiced for `noun`, one of control/show/nouns.h.
std::string render(std::string_view noun, const Json& result, Sheet& sheet);
std::string render(std::string_view noun, const Json& result);  // without a limit of width

}  // namespace sluice::cli

// Views: what `sluice show NOUN` prints for people: a table, or a few lines and a table, and a
// sentence when there is nothing to show.
// Not done here: where the numbers come from (control/show/snapshot.h).
#pragma once

#include <string>
#include <string_view>

#include "tools/sluice/table.h"

namespace sluice::cli {

// `noun` is one of control/show/nouns.h, `result` what sluiced answered for it.
std::string render(std::string_view noun, const Json& result);

// The rates of ports between two answers to `show ports`, `seconds` apart.
std::string render_rates(const Json& before, const Json& after, double seconds);

}  // namespace sluice::cli

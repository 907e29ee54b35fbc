// SimOutput: what every kind of `sluice sim` prints: rows for spreadsheets, and how far it is.
#pragma once

#include <string_view>

#include "tools/sluice/table.h"

namespace sluice::cli {

// All rows have the keys of the first.
void print_csv(const Json& rows);

// One line that is written over and over, for people who wait; nothing where nobody looks.
void show_progress(std::string_view text, bool last);

}  // namespace sluice::cli

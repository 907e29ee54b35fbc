// SimOutput: what every kind of `sluice sim` prints: JSON, rows for spreadsheets, how far it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tools/sluice/table.h"

namespace sluice::cli {

enum class Output : uint8_t { table, json, csv };

void print_json(const Json& document);
// All rows have the keys of the first.
void print_csv(const Json& rows);

// One line that is written over and over, for people who wait; nothing where nobody looks.
void show_progress(std::string_view text, bool last);
// The same, of jobs; of one alone there is nothing to tell.
void show_done(std::size_t finished, std::size_t count);

}  // namespace sluice::cli

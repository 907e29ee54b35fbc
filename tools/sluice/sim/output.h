// SimOutput: the output forms of all commands of `sluice sim`: JSON, and rows for spreadsheets.
#pragma once

#include <cstdint>

#include "tools/common/table.h"

namespace sluice::cli {

enum class Output : uint8_t { table, json, csv };

void print_json(const Json& document);
// Prints rows as CSV, with a column for each key of any row, in the order in which the keys appear;
// missing values are empty.
void print_csv(const Json& rows);

}  // namespace sluice::cli

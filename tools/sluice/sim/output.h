// SimOutput: what every kind of `sluice sim` prints: JSON, and rows for spreadsheets.
#pragma once

#include <cstdint>

#include "tools/common/table.h"

namespace sluice::cli {

enum class Output : uint8_t { table, json, csv };

void print_json(const Json& document);
// A column a key that any row has, in the order in which they come; what a row lacks is empty.
void print_csv(const Json& rows);

}  // namespace sluice::cli

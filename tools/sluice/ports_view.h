// PortsView: the output of `sluice show ports` and `show counters` for people, and the rates of
// ports between two snapshots.
#pragma once

#include <string>

#include "tools/common/sheet.h"

namespace sluice::cli {

std::string ports_view(Sheet& sheet, const Json& result);
std::string counters_view(Sheet& sheet, const Json& result);
std::string history_view(Sheet& sheet, const Json& result);

// Returns the rates of ports between two answers to `show ports`, which are `seconds` apart.
std::string render_rates(const Json& before, const Json& after, double seconds, Sheet& sheet);

}  // namespace sluice::cli

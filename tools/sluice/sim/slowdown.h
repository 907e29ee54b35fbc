// Slowdown: the output of `sluice sim run FILE` about transfers: their times relative to those in
// an idle network, in all and by size (tools/sim/scenario/slowdown.h).
#pragma once

#include <string>

#include "tools/common/table.h"
#include "tools/sim/scenario/slowdown.h"

namespace sluice::cli {

// Adds the result to the row of its flow.
void add_slowdown(Json& row, const sim::SlowdownResult& result);
// Returns an empty line and tables of the rows with slowdowns; empty if no row has them.
std::string slowdown_tables(const Json& flows);

}  // namespace sluice::cli

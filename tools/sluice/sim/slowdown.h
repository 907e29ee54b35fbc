// Slowdown: the output of `sluice sim run FILE` about transfers: how much longer they took than in
// an idle network, in all and by size (tools/sim/scenario/slowdown.h).
#pragma once

#include <string>

#include "tools/common/table.h"
#include "tools/sim/scenario/slowdown.h"

namespace sluice::cli {

// Into the row of its flow.
void add_slowdown(Json& row, const sim::SlowdownResult& result);
// Returns tables of the rows with slowdowns, with an empty line before; empty: none has them.
std::string slowdown_tables(const Json& flows);

}  // namespace sluice::cli

// Recovery: the output of `sluice sim run FILE` about flows whose frames are sent again: how many
// were, and how many of the arrived frames were taken (tools/sim/network/go_back_n.h).
#pragma once

#include <string>

#include "tools/common/table.h"
#include "tools/sim/scenario/run.h"

namespace sluice::cli {

// Into the row of its flow.
void add_recovery(Json& row, const sim::RecoveryResult& result);
// Returns a table of the rows with recovery, with an empty line before; empty: none has it.
std::string recovery_table(const Json& flows);

}  // namespace sluice::cli

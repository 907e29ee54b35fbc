// Recovery: the output of `sluice sim run FILE` about flows that resend frames: the number of
// resent frames, and of arrived frames that were accepted (tools/sim/network/go_back_n.h).
#pragma once

#include <string>

#include "tools/common/table.h"
#include "tools/sim/scenario/run.h"

namespace sluice::cli {

// Adds the result to the row of its flow.
void add_recovery(Json& row, const sim::RecoveryResult& result);
// Returns an empty line and a table of the rows with recovery; empty if no row has it.
std::string recovery_table(const Json& flows);

}  // namespace sluice::cli

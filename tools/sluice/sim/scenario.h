// SimScenario: the output of `sluice sim run FILE` about a simulated network (file.h): tables for
// people, JSON and CSV. The same file and seed print the same octets.
#pragma once

#include <string>

#include "tools/common/table.h"
#include "tools/sim/scenario/run.h"
#include "tools/sluice/sim/output.h"

namespace sluice::cli {

Json row_of_flow(const sim::FlowResult& flow);
// Returns a text such as `interrupted at 1.5ms`.
std::string text_of(const sim::Stopped& stopped);
// Returns the result as JSON, with `series` if it was recorded.
Json document_of(const sim::NetworkScenario& scenario, const sim::NetworkResult& result);

// Prints the result. `series`: whether to print the recorded series as well; with CSV, the series
// replaces the flows.
void print(const sim::NetworkScenario& scenario, const sim::NetworkResult& result, Output output,
           bool series);

}  // namespace sluice::cli

// SimReduction: prints the outcomes of a sweep's runs as one table, JSON, CSV or page. The output
// does not depend on the processes and the order in which they ran.
#pragma once

#include <vector>

#include "tools/common/report/report.h"
#include "tools/sluice/sim/outcome.h"
#include "tools/sluice/sim/output.h"

namespace sluice::cli {

// Prints the outcomes. Runs that were not made have no row; their number and that of failed runs
// are reported on standard error. Returns the exit status: 0 if every run is complete and balances.
int reduce(const Sweep& sweep, std::vector<Outcome> outcomes, Output output, ReportFile* report);

}  // namespace sluice::cli

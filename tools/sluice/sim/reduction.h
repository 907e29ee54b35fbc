// SimReduction: the outcomes of a sweep's runs as one table, JSON, CSV or page: the same octets
// whichever process ran them, and in which order.
#pragma once

#include <vector>

#include "tools/common/report/report.h"
#include "tools/sluice/sim/outcome.h"
#include "tools/sluice/sim/output.h"

namespace sluice::cli {

// Runs that did not take place have no row, which is reported on standard error, with the number of
// failed runs. Returns the exit status: 0 if every run is complete and balances.
int reduce(const Sweep& sweep, std::vector<Outcome> outcomes, Output output, ReportFile* report);

}  // namespace sluice::cli

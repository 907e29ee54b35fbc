// SimReduction: the outcomes of a sweep's runs as one table, JSON, CSV or page: the same octets
// whichever process ran them, and in which order.
#pragma once

#include <vector>

#include "tools/sluice/sim/outcome.h"
#include "tools/sluice/sim/output.h"
#include "tools/common/report/report.h"

namespace sluice::cli {

// Those that did not run have no row, which is reported on standard error, as is how many failed.
// Returns what to exit with: 0 when every run is complete and balances.
int reduce(const Sweep& sweep, std::vector<Outcome> outcomes, Output output, ReportFile* report);

}  // namespace sluice::cli

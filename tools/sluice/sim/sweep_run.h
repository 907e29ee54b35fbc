// SimSweepRun: a sweep from its words to its table: on all cores of this machine, or as tasks that
// an executor runs (cluster/execute.h).
//
// All runs are read before the first begins, so that what is wrong is reported at once.
// SIGINT and SIGTERM end it (interrupt.h): the rows of those runs that are complete are printed.
// One that stops alone, for `run.memory`, which each may take, is a row that says so.
// Who runs which changes no number.
#pragma once

#include "tools/sluice/sim/cluster/cluster_options.h"
#include "tools/sluice/sim/output.h"
#include "tools/common/report/report.h"
#include "tools/sluice/sim/sweep.h"

namespace sluice::cli {

// Returns what to exit with.
int run_sweep(const Sweep& sweep, const ClusterOptions& options, Output output, ReportFile* report);

}  // namespace sluice::cli

// SimSweepRun: runs a sweep from its arguments to its table: on all cores of this machine, or as
// tasks of an executor (cluster/execute.h).
//
// All scenarios are read before the first run begins, so that faults are reported at once. SIGINT
// and SIGTERM end the sweep (interrupt.h): the rows of complete runs are printed. A run that
// exceeds `run.memory`, which each run may use, ends with a reason in its row; others continue. The
// results do not depend on where runs are executed.
#pragma once

#include "tools/common/report/report.h"
#include "tools/sluice/sim/cluster/cluster_options.h"
#include "tools/sluice/sim/output.h"
#include "tools/sluice/sim/sweep.h"

namespace sluice::cli {

// Returns the exit status.
int run_sweep(const Sweep& sweep, const ClusterOptions& options, Output output, ReportFile* report);

}  // namespace sluice::cli

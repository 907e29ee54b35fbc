// Execute: runs a sweep of thousands of runs outside of this process: by a folder with the work and
// its results (folder.h), and an executor that starts tasks (executor.h).
//
// Runs with a valid outcome are kept; the others are submitted, in tasks of several runs. Runs
// without an outcome, because a node failed, a task was killed or a run crashed, are submitted
// again: in the second attempt with an eighth as many runs a task, in the last attempt with one run
// a task, so that a run that kills its task harms no other run (with more than `most_tasks` runs,
// with as few runs a task as that bound allows). A run without an outcome in any attempt is
// reported in its row; the same command tries it again.
// An attempt ends when all outcomes exist, or its job has ended. After the last attempt the program
// also waits for outcomes that a shared folder shows late.
// SIGINT and SIGTERM end the waiting but not the tasks; the command that ends the tasks is printed.
// The same command, given again, waits for running tasks, and submits missing runs. Tasks on this
// machine end with the waiting.
//
// A task should take about `task_seconds`: the time of a run is estimated from three runs, which
// run here for at most half a second each.
// Bound: `most_tasks` tasks a submission, Slurm's default limit (MaxArraySize): tasks get more runs
// if necessary. Half an hour without an answer of the executor ends the waiting.
#pragma once

#include <cstddef>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tools/sluice/sim/cluster/cluster_options.h"
#include "tools/sluice/sim/cluster/executor.h"
#include "tools/sluice/sim/outcome.h"
#include "tools/sluice/sim/sweep.h"

namespace sluice::cli {

inline constexpr double task_seconds = 20;
inline constexpr std::size_t most_tasks = 1000;
inline constexpr std::size_t least_tasks = 32;  // if there are as many runs

// Returns the number of runs a task: `wanted`, or, if that is 0, computed from the `seconds` of a
// run; more if there would be more than `most_tasks` tasks.
std::size_t runs_per_task(std::size_t runs, std::size_t wanted, double seconds);
// Returns the number of runs a task in a later attempt, counted from 1.
std::size_t runs_per_retry_task(std::size_t runs, std::size_t at_first, std::size_t attempt,
                                std::size_t attempts);

// Runs all runs without an outcome by an executor. Returns the runs that still have none, in order.
tl::expected<Runs, std::string> execute_with(Executor& executor, const SweepFolder& folder,
                                             const ClusterOptions& options);

// Returns an outcome for each run; or why there are none. `all`: the sweep's combinations;
// `traces`: the trace files that they name.
tl::expected<std::vector<Outcome>, std::string> execute(const Sweep& sweep,
                                                        const std::vector<Changes>& all,
                                                        const std::vector<std::string>& traces,
                                                        const ClusterOptions& options);

}  // namespace sluice::cli

// Execute: a sweep of thousands of runs, outside of this process: a folder of what is to be done
// and what came of it (folder.h), and an executor that starts tasks (executor.h).
//
// Runs whose outcome is there and right are kept; the others are submitted, as tasks of so many
// runs. What they leave undone, because a node went, a task was killed or a run crashed, is
// submitted again: in the second attempt an eighth as many a task, in the last each alone (of more
// than `most_tasks` runs, as few as that bound lets), so that one run that takes its task down
// takes no other with it. A run that leaves no outcome in any attempt is a row that says so, for
// this time: the same command again tries it again.
// An attempt ends when all outcomes are there, or its job has ended. What a shared folder shows
// late is waited for after the last.
// SIGINT and SIGTERM end the waiting, not the tasks, which are listed; the same command, given
// again, waits for those that still go on, and submits what is missing. Tasks on this machine end
// too.
//
// A task is to take about `task_seconds`: what one run takes is seen by three of them, which run
// here for half a second each at the most.
// Bound: `most_tasks` tasks a submission, which is what Slurm takes by default (MaxArraySize): a
// task does more runs where that takes it. Half an hour without an answer of the executor ends the
// waiting.
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
inline constexpr std::size_t least_tasks = 32;  // where there are so many runs

// Of how many runs a task is: `wanted`, or if that is 0, by the seconds that one takes; more where
// there would be more than `most_tasks`.
std::size_t runs_per_task(std::size_t runs, std::size_t wanted, double seconds);
// The same in a later attempt, of `attempts`, from 1 on.
std::size_t runs_per_retry_task(std::size_t runs, std::size_t at_first, std::size_t attempt,
                                std::size_t attempts);

// Until all have an outcome, by an executor: what is left, in order.
tl::expected<Runs, std::string> execute_with(Executor& executor, const SweepFolder& folder,
                                             const ClusterOptions& options);

// An outcome each; or why there is none. `all` are the sweep's combinations, `traces` what they
// name.
tl::expected<std::vector<Outcome>, std::string> execute(const Sweep& sweep,
                                                        const std::vector<Changes>& all,
                                                        const std::vector<std::string>& traces,
                                                        const ClusterOptions& options);

}  // namespace sluice::cli

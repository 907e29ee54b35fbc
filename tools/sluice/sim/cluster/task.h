// Task: executes a task's part of a list of runs, each run in a process of its own.
//
// Runs with a valid outcome are not repeated. A run that crashed, was killed, could not read its
// files or ran out of memory leaves the reason, and may be retried: the cause may be its machine.
// Other runs are not affected. When the task ends, for any reason, its runs end too.
#pragma once

#include <cstddef>
#include <string>

namespace sluice::cli {

struct Task {
    std::string folder;
    std::size_t list = 0;
    std::size_t number = 0;
    std::size_t at_once = 1;
};
// Returns the exit status: 0 if all runs have left an outcome.
int do_task(const Task& task);

}  // namespace sluice::cli

// Task: the part of a list that a task of a cluster has to do, each run in a process of its own.
//
// What is there and right is not run again. A run that crashes, that somebody ended, whose files
// could not be read or that the machine had no memory for leaves why, and may be tried again: the
// cause may have been its machine. No other run is lost by it.
// They end with the task, whatever ends it.
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
// Returns what to exit with: 0 when all of them have left an outcome.
int do_task(const Task& task);

}  // namespace sluice::cli

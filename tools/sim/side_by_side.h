// SideBySide: runs independent jobs on all cores. The order of jobs changes no result: each job
// writes only its own data.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace sluice::sim {

// Calls `job(n)` once for each n below `count`, and `done(finished)` after each, one at a time.
template <class Job, class Done>
void side_by_side(std::size_t count, Job job, Done done) {
    std::atomic<std::size_t> next = 0;
    std::mutex reporting;
    std::size_t finished = 0;
    const auto work = [&] {
        for (std::size_t n = next++; n < count; n = next++) {
            job(n);
            const std::lock_guard hold(reporting);
            done(++finished);
        }
    };
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::thread> others(std::min(cores, std::max<std::size_t>(count, 1)) - 1);
    for (std::thread& other : others) other = std::thread(work);
    work();
    for (std::thread& other : others) other.join();
}

}  // namespace sluice::sim

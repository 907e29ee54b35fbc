// SimProgress: shows the progress of long runs, on one line of a terminal that is rewritten.
//
// It shows a bar, the share done, the caller's report of a single run or the progress of several, a
// rate, and the remaining time at the present rate. Jobs run in parallel and each reports its
// progress, so `update` may be called by any thread. The line is written only if standard error is
// a terminal and a run has taken half a second; at the end it is erased.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

struct Standing {
    double share = 0;  // share of the work that is done
    std::size_t jobs = 1;
    std::size_t finished = 0;
    std::string detail{};  // progress of a single job, or of each running job
    uint64_t counted = 0;
    std::string_view unit{};  // unit of `counted`; empty: none
    double seconds = 0;       // time since the start
};
std::string progress_line(const Standing& standing);

class ProgressBar {
  public:
    explicit ProgressBar(std::size_t jobs, std::string_view unit = {});
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ~ProgressBar();

    // Reports that `share` of the job is done, and how many of `unit` were counted.
    void update(std::size_t job, double share, uint64_t counted = 0, std::string detail = {});
    void finish_one(std::size_t finished);

  private:
    using Clock = std::chrono::steady_clock;
    struct Job {
        double share = 0;
        uint64_t counted = 0;
    };
    void draw();

    bool terminal_;
    bool drawn_ = false;
    std::string_view unit_;
    Clock::time_point began_ = Clock::now();
    Clock::time_point next_;
    std::mutex mutex_;
    std::vector<Job> jobs_;
    std::size_t finished_ = 0;
    std::string detail_;
};

}  // namespace sluice::cli

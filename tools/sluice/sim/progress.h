// SimProgress: shows the progress of long runs, on one line of a terminal that is rewritten.
//
// It shows a bar, the share done, the caller's report of a single run or the progress of several, a
// rate, and the remaining time at the present rate. Jobs run in parallel and each reports its
// progress, so `update` may be called by any thread. If standard error is no terminal, or a run has
// taken less than half a second, nothing is written; at the end the line is erased.
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
    double share = 0;  // of all that is to be done
    std::size_t jobs = 1;
    std::size_t finished = 0;
    std::string detail{};  // how far the job is that is alone, or each that runs
    uint64_t counted = 0;
    std::string_view unit{};  // of the counted things; empty: none are counted
    double seconds = 0;       // since it began
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

#include "tools/sluice/sim/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace sluice::cli {

namespace {

constexpr std::size_t bar_columns = 24;
constexpr std::chrono::milliseconds before_the_first{500};
constexpr std::chrono::milliseconds between_two{100};
constexpr std::size_t most_shown = 4;  // running jobs
// Share of the work before which the remaining time is not printed, as it would be a guess.
constexpr double least_known = 0.01;

std::string rate_text(double a_second) {
    if (a_second >= 1e6) return fmt::format("{:.1f} M ", a_second / 1e6);
    if (a_second >= 1e3) return fmt::format("{:.1f} k ", a_second / 1e3);
    return fmt::format("{:.0f} ", a_second);
}

std::string time_text(double seconds) {
    const auto whole = static_cast<int64_t>(seconds + 0.5);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

}  // namespace

std::string progress_line(const Standing& standing) {
    const double share = std::clamp(standing.share, 0.0, 1.0);
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar_columns));
    std::string line = fmt::format("[{}{}] {:5.1f} %", std::string(filled, '#'),
                                   std::string(bar_columns - filled, '.'), share * 100);
    if (standing.jobs > 1) line += fmt::format(", {} of {} done", standing.finished, standing.jobs);
    if (!standing.detail.empty()) line += ", " + standing.detail;
    if (!standing.unit.empty() && standing.seconds > 0) {
        line += fmt::format(", {}{}/s",
                            rate_text(static_cast<double>(standing.counted) / standing.seconds),
                            standing.unit);
    }
    if (share >= least_known && share < 1) {
        line += fmt::format(", {} left", time_text(standing.seconds * (1 - share) / share));
    }
    return line;
}

ProgressBar::ProgressBar(std::size_t jobs, std::string_view unit)
    : terminal_(isatty(STDERR_FILENO) == 1),
      unit_(unit),
      next_(began_ + before_the_first),
      jobs_(jobs) {}

ProgressBar::~ProgressBar() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

void ProgressBar::update(std::size_t job, double share, uint64_t counted, std::string detail) {
    const std::lock_guard hold(mutex_);
    jobs_[job] = {share, counted};
    detail_ = jobs_.size() == 1 ? std::move(detail) : std::string();
    draw();
}

void ProgressBar::finish_one(std::size_t finished) {
    const std::lock_guard hold(mutex_);
    finished_ = finished;
    draw();
}

void ProgressBar::draw() {
    const Clock::time_point now = Clock::now();
    if (!terminal_ || now < next_) return;
    next_ = now + between_two;
    Standing standing{.jobs = jobs_.size(), .finished = finished_, .detail = detail_};
    double done = 0;
    std::size_t running = 0;
    for (const Job& job : jobs_) {
        done += job.share;
        standing.counted += job.counted;
        if (jobs_.size() == 1 || job.share <= 0 || job.share >= 1 || ++running > most_shown)
            continue;
        standing.detail +=
            fmt::format("{}{:.0f} %", running == 1 ? "running at " : " ", job.share * 100);
    }
    // Runs that do not report their progress count when they have finished.
    done = std::max(done, static_cast<double>(finished_));
    standing.share = done / static_cast<double>(jobs_.size());
    standing.unit = unit_;
    standing.seconds = std::chrono::duration<double>(now - began_).count();
    fmt::print(stderr, "\r{}\x1b[K", progress_line(standing));
    std::fflush(stderr);
    drawn_ = true;
}

}  // namespace sluice::cli

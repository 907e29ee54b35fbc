#include "tools/sluice/sim/cluster/execute.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "config/yaml/fault.h"
#include "tools/sluice/interrupt.h"
#include "tools/sluice/sim/cluster/kubernetes.h"
#include "tools/sluice/sim/cluster/local.h"
#include "tools/sluice/sim/cluster/slurm.h"
#include "tools/sluice/sim/progress.h"

namespace sluice::cli {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds longest_look{500};  // longest trial run, for an estimate
constexpr Clock::duration first_pause = std::chrono::milliseconds(100);
constexpr Clock::duration longest_pause = std::chrono::seconds(2);  // between reads of the folder
constexpr Clock::duration longest_wait = std::chrono::seconds(10);  // between queries
constexpr Clock::duration longest_silence = std::chrono::minutes(30);
constexpr std::chrono::minutes warn_after{5};  // time without results of a job before a warning

std::size_t divided_up(std::size_t all, std::size_t by) { return (all + by - 1) / by; }

// Returns the estimated time of a run, by the share of the run that is done within `longest_look`.
double estimated_seconds(const SweepFolder& folder, std::size_t run) {
    const auto scenario = sim::read_scenario(folder.sweep().text, folder.sweep().file,
                                             folder.sweep().changes_in(folder.runs()[run]));
    if (!scenario) return 0;
    const Clock::time_point began = Clock::now();
    double share = 1;
    try {
        const sim::NetworkResult result = sim::simulate(*scenario, {}, sim::Recording::off, [&] {
            return Clock::now() - began > longest_look || Interrupt::came();
        });
        if (result.stopped) {
            share = static_cast<double>(std::max<int64_t>(result.stopped->at.count(), 1)) /
                    static_cast<double>(scenario->run.time.count());
        }
    } catch (const std::bad_alloc&) {
        return task_seconds;  // the time is unknown: each run gets its own task
    }
    return Seconds(Clock::now() - began).count() / std::min(share, 1.0);
}

double seconds_a_run(const SweepFolder& folder, const Runs& runs) {
    Runs looked_at = {runs.front(), runs[runs.size() / 2], runs.back()};
    looked_at.erase(std::unique(looked_at.begin(), looked_at.end()), looked_at.end());
    double sum = 0;
    for (const std::size_t run : looked_at) sum += estimated_seconds(folder, run);
    return sum / static_cast<double>(looked_at.size());
}

Runs without_outcome(const SweepFolder& folder) {
    Runs missing;
    for (std::size_t run = 0; run < folder.runs().size(); ++run) {
        if (!folder.outcome(run)) missing.push_back(run);
    }
    return missing;
}

// Returns the job that this executor submitted before, if any.
std::optional<SweepFolder::Job> earlier_job(const Executor& executor, const SweepFolder& folder) {
    auto job = folder.job();
    if (job && (job->on != executor.name() || !executor.is_job(job->name))) job.reset();
    return job;
}

// Sleeps for `all`; a signal ends the sleep within `first_pause`.
void sleep(Clock::duration all) {
    for (const Clock::time_point end = Clock::now() + all;
         Clock::now() < end && !Interrupt::came();) {
        std::this_thread::sleep_for(std::min<Clock::duration>(end - Clock::now(), first_pause));
    }
}

// Returns the runs of `missing` that still have no outcome after the delay of the file system.
Runs missing_after_delay(const Executor& executor, const SweepFolder& folder, Runs missing) {
    const Clock::time_point end = Clock::now() + executor.visibility_delay();
    while (!missing.empty() && Clock::now() < end && !Interrupt::came()) {
        std::erase_if(missing, [&](std::size_t run) { return folder.outcome(run).has_value(); });
        if (!missing.empty()) sleep(std::min(end - Clock::now(), longest_pause));
    }
    return missing;
}

// Follows the progress of a sweep by the files that its tasks write.
class Watch {
  public:
    Watch(Executor& executor, const SweepFolder& folder)
        : executor_(executor),
          folder_(folder),
          before_(folder.landed()),
          bar_(std::max(folder.runs().size(), before_ + 1) - before_) {}

    // Waits until no task of the job runs, until all files exist and are valid, or until an
    // interrupt. Sets `missing`, except after an interrupt. Returns why if no task will ever run,
    // or if the state of the job stays unknown; otherwise an empty text.
    std::string wait_for(const std::string& job, Runs& missing) {
        Clock::duration pause = first_pause;
        Clock::duration until_asked = 5 * first_pause;
        Clock::time_point answered = Clock::now();
        bool complained = false;
        bool looked = false;
        bool is_reported = false;
        const Clock::time_point began = answered;
        const std::size_t at_first = folder_.landed();
        // Invalid files are checked once: only a task can correct them, and after the last task has
        // ended they are checked anyway.
        const auto is_done = [&] {
            if (!all_landed() || std::exchange(looked, true)) return false;
            missing = without_outcome(folder_);
            return missing.empty();
        };
        Clock::time_point asks = answered + until_asked;
        while (!Interrupt::came() && !is_done()) {
            sleep(pause);
            pause = std::min(pause * 5 / 4, longest_pause);
            if (Clock::now() < asks) continue;
            const auto is_running = executor_.is_running(job);
            if (is_running && !*is_running) {
                all_landed();
                missing = without_outcome(folder_);
                return {};
            }
            if (is_running) {
                answered = Clock::now();
                complained = false;
                if (folder_.landed() == at_first) {
                    if (std::string never = executor_.why_stuck(job); !never.empty()) {
                        return stuck_error(job, never);
                    }
                    const bool is_long = answered - began > warn_after;
                    if (is_long && !std::exchange(is_reported, true)) report_silence(job);
                }
            } else if (Clock::now() - answered > longest_silence) {
                return is_running.error();
            } else if (!std::exchange(complained, true)) {
                fmt::print(stderr, "sluice: {}; retrying\n", config::escaped(is_running.error()));
            }
            until_asked = std::min(until_asked * 5 / 4, longest_wait);
            asks = Clock::now() + until_asked;
        }
        return {};
    }

  private:
    bool all_landed() {
        const std::size_t landed = folder_.landed();
        bar_.finish_one(landed - std::min(before_, landed));
        return landed >= folder_.runs().size();
    }

    [[nodiscard]] std::string stuck_error(const std::string& job, const std::string& why) const {
        return fmt::format(
            "no task of {} will ever run: {}; `{}` removes it, and the same command then submits "
            "another",
            job, config::escaped(why), executor_.cancel_command(job));
    }

    // Warns that no task has left a result for a long time, for example because tasks wait for
    // room.
    void report_silence(const std::string& job) const {
        const std::string end = executor_.cancel_command(job);
        if (end.empty()) return;
        fmt::print(stderr,
                   "sluice: no result for {} minutes: the tasks take long, wait for resources, or "
                   "cannot run; sluice keeps waiting; `{}` ends them\n",
                   warn_after.count(), config::escaped(end));
    }

    Executor& executor_;
    const SweepFolder& folder_;
    std::size_t before_;
    ProgressBar bar_;
};

void report_interrupt(const Executor& executor, const SweepFolder& folder) {
    std::string also;
    if (const auto job = earlier_job(executor, folder)) {
        const std::string end = executor.cancel_command(job->name);
        if (!end.empty()) also = fmt::format("; its tasks continue; `{}` ends them", end);
    }
    fmt::print(stderr, "sluice: interrupted; the same command resumes from the results in {}{}\n",
               config::escaped(folder.path().string()), config::escaped(also));
}

// Returns the outcome of a run without a result, with the reason that its process left, if any.
Outcome without_result(const SweepFolder& folder, std::size_t run, std::size_t attempts) {
    std::string text = fmt::format("no result after {} attempt(s)", attempts);
    if (const std::string why = folder.why(run); !why.empty()) text += "; last failure: " + why;
    return failed_outcome(folder.runs()[run], text);
}

}  // namespace

std::size_t runs_per_task(std::size_t runs, std::size_t wanted, double seconds) {
    const std::size_t least = std::max<std::size_t>(divided_up(runs, most_tasks), 1);
    if (wanted > 0) return std::clamp(wanted, least, std::max<std::size_t>(runs, 1));
    const std::size_t most = std::max<std::size_t>(runs / least_tasks, 1);
    const double by_time = task_seconds / std::max(seconds, 1e-6);
    const auto each = static_cast<std::size_t>(std::min(by_time, static_cast<double>(most)));
    return std::max(each, least);
}

std::size_t runs_per_retry_task(std::size_t runs, std::size_t at_first, std::size_t attempt,
                                std::size_t attempts) {
    if (attempt <= 1) return at_first;
    const std::size_t fewer = attempt == attempts ? 1 : std::max<std::size_t>(at_first / 8, 1);
    return std::max(fewer, divided_up(runs, most_tasks));
}

tl::expected<Runs, std::string> execute_with(Executor& executor, const SweepFolder& folder,
                                             const ClusterOptions& options) {
    const std::string on(executor.name());
    folder.remove_refusal();
    Runs missing = without_outcome(folder);
    Watch watch(executor, folder);
    const auto before = earlier_job(executor, folder);
    if (!missing.empty() && before) {
        if (before->options != executor.query_options()) {
            return tl::unexpected(
                fmt::format("{} belongs to a job with other options ({}); use these options, or "
                            "remove its job.json",
                            folder.path().string(), fmt::join(before->options, " ")));
        }
        const auto still = executor.is_running(before->name);
        if (!still) return tl::unexpected(still.error());
        if (*still) {
            if (std::string lost = watch.wait_for(before->name, missing); !lost.empty()) {
                return tl::unexpected(std::move(lost));
            }
        }
    }
    std::size_t at_first = 0;
    for (std::size_t attempt = 1; attempt <= options.attempts && !missing.empty(); ++attempt) {
        if (at_first == 0) {
            const double seconds = options.runs_per_task > 0 || executor.is_one_task()
                                       ? 0
                                       : seconds_a_run(folder, missing);
            at_first = runs_per_task(missing.size(), options.runs_per_task, seconds);
        }
        if (Interrupt::came()) break;
        const std::size_t each =
            executor.is_one_task()
                ? missing.size()
                : runs_per_retry_task(missing.size(), at_first, attempt, options.attempts);
        const auto list = folder.add_list(missing, each);
        if (!list) return tl::unexpected(list.error());
        const auto job = executor.submit(*list, divided_up(missing.size(), each));
        if (!job) return tl::unexpected(job.error());
        if (std::string why = folder.put_job({on, *job, executor.query_options()}); !why.empty()) {
            return tl::unexpected(std::move(why));
        }
        if (std::string lost = watch.wait_for(*job, missing); !lost.empty()) {
            return tl::unexpected(std::move(lost));
        }
    }
    return missing_after_delay(executor, folder, std::move(missing));
}

tl::expected<std::vector<Outcome>, std::string> execute(const Sweep& sweep,
                                                        const std::vector<Changes>& all,
                                                        const std::vector<std::string>& traces,
                                                        const ClusterOptions& options) {
    const auto folder = SweepFolder::of(options.folder, sweep, traces);
    if (!folder) return tl::unexpected(folder.error());
    // A parent that ignores SIGCHLD passes this on; waiting for children would then fail.
    std::signal(SIGCHLD, SIG_DFL);
    const Interrupt listening;
    const auto executor = make_executor(options, *folder);
    const auto missing = execute_with(*executor, *folder, options);
    if (!missing) return tl::unexpected(missing.error());
    std::vector<Outcome> outcomes(all.size());
    for (std::size_t run = 0; run < all.size(); ++run) {
        if (auto outcome = folder->outcome(run)) {
            outcomes[run] = std::move(*outcome);
        } else if (!Interrupt::came()) {
            outcomes[run] = without_result(*folder, run, options.attempts);
        }
    }
    if (Interrupt::came()) {
        report_interrupt(*executor, *folder);
    } else if (!missing->empty()) {
        fmt::print(stderr,
                   "sluice: {} of {} runs have no result; {} has the output of their tasks\n",
                   missing->size(), all.size(), config::escaped((folder->path() / "log").string()));
        if (const std::string why = folder->refusal(); !why.empty()) {
            fmt::print(stderr, "sluice: a task refused to begin: {}\n", config::escaped(why));
        }
    }
    return outcomes;
}

std::unique_ptr<Executor> make_executor(const ClusterOptions& options, const SweepFolder& folder) {
    switch (options.backend) {
        case Backend::slurm:
            return std::make_unique<Slurm>(folder, options);
        case Backend::kubernetes:
            return std::make_unique<Kubernetes>(folder, options);
        case Backend::local:
            break;
    }
    return std::make_unique<Local>(folder, options);
}

}  // namespace sluice::cli

#include "tools/sluice/sim/cluster/task.h"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>

#include "config/yaml/fault.h"
#include "tools/sluice/sim/cluster/folder.h"
#include "tools/sluice/sim/outcome.h"

namespace sluice::cli {

namespace {

int fail(const std::string& what) {
    fmt::print(stderr, "sluice: --work: {}\n", config::escaped(what));
    return 1;
}

// Returns the exit status of the process of one run: 0 if its outcome is in its file.
int run_and_put(const SweepFolder& folder, std::size_t run) {
    try {
        const Outcome outcome = run_one(folder.sweep(), folder.runs()[run]);
        if (outcome.state == Outcome::State::failed_by_machine) {
            folder.put_why(run, outcome.rows[0]["failed"].get_ref<const std::string&>());
            return 1;
        }
        const std::string why = folder.put(run, outcome);
        return why.empty() ? 0 : fail(why);
    } catch (const std::exception& failure) {
        folder.put_why(run, failure.what());
        return fail(failure.what());
    }
}

// Returns whether the run has left an outcome; if not, writes the reason.
bool has_left_outcome(const SweepFolder& folder, std::size_t run, int status) {
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status) == 0;
    folder.put_why(run, fmt::format("ended by SIG{}", sigabbrev_np(WTERMSIG(status))));
    return false;
}

class Children {
  public:
    explicit Children(const SweepFolder& folder) : folder_(folder) {}

    [[nodiscard]] std::size_t count() const { return running_.size(); }

    // Starts the process of a run. Returns false if there can be no more processes.
    bool add(std::size_t run) {
        std::fflush(nullptr);
        const pid_t parent = ::getpid();
        const pid_t child = ::fork();
        if (child < 0) return false;
        if (child == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::getppid() != parent) ::_exit(1);
            const int status = run_and_put(folder_, run);
            std::fflush(nullptr);
            ::_exit(status);
        }
        running_.emplace(child, run);
        return true;
    }

    // Waits for one process; returns whether it has left an outcome.
    bool finish_one() {
        int status = 0;
        const pid_t child = ::waitpid(-1, &status, 0);
        const auto found = running_.find(child);
        if (found == running_.end()) return errno == EINTR;
        const std::size_t run = found->second;
        running_.erase(found);
        return has_left_outcome(folder_, run, status);
    }

  private:
    const SweepFolder& folder_;
    std::map<pid_t, std::size_t> running_;
};

}  // namespace

int do_task(const Task& task) {
    const auto folder = SweepFolder::read(task.folder);
    if (!folder) {
        SweepFolder::put_refusal(task.folder, folder.error());
        return fail(folder.error());
    }
    const auto runs = folder->part_of_list(task.list, task.number);
    if (!runs) return fail(runs.error());
    // A parent that ignores SIGCHLD passes this on; waiting for children would then fail.
    std::signal(SIGCHLD, SIG_DFL);
    Children children(*folder);
    bool all = true;
    for (const std::size_t run : *runs) {
        if (folder->outcome(run)) continue;
        while (children.count() >= task.at_once) all &= children.finish_one();
        if (!children.add(run)) return fail(fmt::format("no process: {}", std::strerror(errno)));
    }
    while (children.count() > 0) all &= children.finish_one();
    return all ? 0 : 1;
}

}  // namespace sluice::cli

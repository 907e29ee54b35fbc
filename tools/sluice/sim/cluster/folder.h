// SweepFolder: a sweep as a folder that several machines share: the runs, their assignment to
// tasks, and their results.
//
//   sweep.json     the sweep: its file, values, and simulator
//   scenario/      copies of its file and traces
//   lists/N.json   the runs of submission N, and the number of runs a task
//   runs/N.json    the outcome of run N (run_file.h); runs/N.why: why its last attempt left none
//   job.json       the last submitted job, and its executor
//   log/           output of tasks; log/refused.txt: why a task did not begin
//
// The state is only in the files of runs: a process that continues an earlier sweep finds out which
// of these files exist and are valid. Two processes may do so at the same time: they write the same
// files, atomically, and remove none. A folder of another sweep or another simulator is refused,
// and so is a folder with other contents.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "tools/sluice/sim/outcome.h"
#include "tools/sluice/sim/sweep.h"

namespace sluice::cli {

using Runs = std::vector<std::size_t>;

class SweepFolder {
  public:
    // Makes the folder, or continues with an existing one. `traces`: the trace files of the sweep.
    // On failure returns the reason and a remedy.
    static tl::expected<SweepFolder, std::string> of(const std::string& path, const Sweep& sweep,
                                                     const std::vector<std::string>& traces);
    // Reads an existing folder, for a task.
    static tl::expected<SweepFolder, std::string> read(const std::string& path);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] const Sweep& sweep() const { return sweep_; }
    [[nodiscard]] const std::vector<Changes>& runs() const { return runs_; }

    // Returns the outcome of a run from its file, if the file exists and is valid.
    [[nodiscard]] std::optional<Outcome> outcome(std::size_t run) const;
    // Returns the number of runs with a file, valid or not.
    [[nodiscard]] std::size_t landed() const;
    // Write a file for a run. Each returns why it failed; empty if it did not.
    std::string put(std::size_t run, const Outcome& outcome) const;
    std::string put_why(std::size_t run, std::string_view why) const;
    [[nodiscard]] std::string why(std::size_t run) const;

    // Write, read and remove the reason why a task of the folder did not begin. Only the last
    // reason is kept.
    static void put_refusal(const std::string& path, std::string_view why);
    [[nodiscard]] std::string refusal() const;
    void remove_refusal() const;

    // Adds a list of runs for a submission, with `each` runs a task. Returns its number.
    [[nodiscard]] tl::expected<std::size_t, std::string> add_list(const Runs& runs,
                                                                  std::size_t each) const;
    // Returns the runs of task `task` of list `list`.
    [[nodiscard]] tl::expected<Runs, std::string> part_of_list(std::size_t list,
                                                               std::size_t task) const;

    struct Job {
        std::string on;
        std::string name;
        std::vector<std::string> options{};  // arguments of queries (Executor::query_options)
    };
    [[nodiscard]] std::optional<Job> job() const;
    std::string put_job(const Job& job) const;

  private:
    explicit SweepFolder(std::filesystem::path path) : path_(std::move(path)) {}
    static tl::expected<SweepFolder, std::string> planned(const std::filesystem::path& path,
                                                          const Json& plan);
    [[nodiscard]] bool is_run(std::string_view name) const;
    [[nodiscard]] std::string key_of(std::size_t run) const;
    [[nodiscard]] std::filesystem::path file_of(std::size_t run) const;

    std::filesystem::path path_;
    Sweep sweep_;
    std::vector<Changes> runs_;
    std::string made_of_;  // digest of the parts that are the same in every run
};

}  // namespace sluice::cli

// Executor: runs the tasks of a sweep: this machine, Slurm, or Kubernetes.
//
// It starts tasks and knows whether any of them may still run. Progress and results are in the
// folder (folder.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tools/sluice/sim/cluster/cluster_options.h"
#include "tools/sluice/sim/cluster/folder.h"

namespace sluice::cli {

class Executor {
  public:
    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    // Whether one task executes all runs of a list.
    [[nodiscard]] virtual bool is_one_task() const { return false; }
    // Submits tasks 0 to `tasks` - 1 of list `list`. Returns the name of the job, or why it failed.
    virtual tl::expected<std::string, std::string> submit(std::size_t list, std::size_t tasks) = 0;
    // Whether the name may be a result of `submit`. A shared folder may contain any text instead of
    // a name, and the name becomes an argument of another program.
    [[nodiscard]] virtual bool is_job(std::string_view name) const = 0;
    // Returns whether a task of the job may still run; or why that is unknown.
    virtual tl::expected<bool, std::string> is_running(const std::string& job) = 0;
    // Returns why none of the job's tasks will ever run; empty if one may run. To be called while
    // the tasks have neither ended nor left results.
    virtual std::string why_stuck(const std::string&) { return {}; }
    // Returns arguments that queries of a job need, such as the argument that names its cluster.
    [[nodiscard]] virtual std::vector<std::string> query_options() const { return {}; }
    // Returns the time for which files may be invisible here after the tasks have ended: NFS caches
    // the contents of a folder for a minute.
    [[nodiscard]] virtual std::chrono::seconds visibility_delay() const {
        return std::chrono::minutes(1);
    }
    // Returns the command that ends the tasks; empty if they end with this process.
    [[nodiscard]] virtual std::string cancel_command(const std::string& job) const = 0;
};

// Makes an executor. `folder` must outlive it.
std::unique_ptr<Executor> make_executor(const ClusterOptions& options, const SweepFolder& folder);

}  // namespace sluice::cli

// Slurm: runs tasks as one job array, submitted by sbatch and queried by squeue.
//
// Every node needs the folder, and this program at the same path. A task has as many concurrent
// runs as Slurm gave it CPUs. Slurm does not requeue tasks of a failed node (--no-requeue, which a
// user's argument may undo): execute.h submits the missing runs again. A job is identified by its
// number and by a name that is unique to the folder: Slurm reuses numbers after an overflow or a
// reinstallation, and the number may then be another user's job. So the user's `--job-name` has no
// effect. Uses the interface of sbatch(1) and squeue(1) of Slurm 20.02 and later.
#pragma once

#include <string>
#include <string_view>

#include "tools/sluice/sim/cluster/executor.h"

namespace sluice::cli {

class Slurm : public Executor {
  public:
    Slurm(const SweepFolder& folder, const ClusterOptions& options)
        : folder_(folder), options_(options) {}

    [[nodiscard]] std::string_view name() const override { return "slurm"; }
    tl::expected<std::string, std::string> submit(std::size_t list, std::size_t tasks) override;
    [[nodiscard]] bool is_job(std::string_view name) const override;
    tl::expected<bool, std::string> is_running(const std::string& job) override;
    [[nodiscard]] std::string cancel_command(const std::string& job) const override;

  private:
    const SweepFolder& folder_;
    const ClusterOptions& options_;
};

}  // namespace sluice::cli

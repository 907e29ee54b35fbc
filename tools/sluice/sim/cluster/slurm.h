// Slurm: tasks as one job array, submitted by sbatch and asked after by squeue.
//
// Every node needs this program at the same path, and the folder. A task does as many runs at once
// as Slurm gave it CPUs. Slurm is asked not to requeue tasks of a node that fails (--no-requeue,
// which a word of the user's may undo): what they leave undone is submitted again by who asked for
// it (execute.h), who knows what is missing.
// A job is known by its number and by a name of the folder alone: Slurm gives numbers again once
// it has counted to the end, or was made anew, and the job of that number is then another's. So a
// `--job-name` of the user's has no effect.
// Speaks as sbatch(1) and squeue(1) of Slurm 20.02 and later.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

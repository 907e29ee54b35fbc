// ClusterFlags: the arguments of `sluice sim run` for sweeps that run on a cluster, and for their
// tasks.
//
// Arguments that contradict each other are a CLI::ValidationError.
#pragma once

#include <string>

#include "tools/sluice/sim/cluster/cluster_options.h"
#include "tools/sluice/sim/cluster/task.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace sluice::cli {

class ClusterFlags {
  public:
    // Adds the options. The options of a file must have been added before, since these need
    // --sweep.
    explicit ClusterFlags(CLI::App& command);
    ClusterFlags(const ClusterFlags&) = delete;
    ClusterFlags& operator=(const ClusterFlags&) = delete;

    [[nodiscard]] ClusterOptions options() const;
    // Whether this process is a task of a sweep.
    [[nodiscard]] bool is_task() const { return !task_.folder.empty(); }
    [[nodiscard]] Task task() const;

  private:
    void add_options(CLI::App& command);
    void add_task(CLI::App& command);

    std::string on_ = "local";
    std::string folder_;
    std::size_t runs_per_task_ = 0;
    std::size_t attempts_ = 3;
    std::size_t at_once_ = 0;
    std::string slurm_options_;
    std::string kubectl_options_;
    std::string image_;
    std::string claim_;
    Task task_;
};

}  // namespace sluice::cli

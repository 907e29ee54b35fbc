// Kubernetes: runs tasks as one Indexed Job (batch/v1), applied and queried by kubectl.
//
// The Job's manifest is JSON in the folder (job.h). Its pods mount the folder as a volume claim.
// This machine must see the same folder, or results never arrive. Runs that pods leave undone are
// submitted again (execute.h). While no pod has run, pods are queried too: a pod whose image or
// volume does not exist will never run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/sluice/sim/cluster/executor.h"

namespace sluice::cli {

class Kubernetes : public Executor {
  public:
    Kubernetes(const SweepFolder& folder, const ClusterOptions& options)
        : folder_(folder), options_(options) {}

    [[nodiscard]] std::string_view name() const override { return "kubernetes"; }
    tl::expected<std::string, std::string> submit(std::size_t list, std::size_t tasks) override;
    [[nodiscard]] bool is_job(std::string_view name) const override;
    tl::expected<bool, std::string> is_running(const std::string& job) override;
    std::string why_stuck(const std::string& job) override;
    [[nodiscard]] std::vector<std::string> query_options() const override {
        return options_.submit_options;
    }
    [[nodiscard]] std::string cancel_command(const std::string& job) const override;

  private:
    [[nodiscard]] std::vector<std::string> kubectl(std::vector<std::string> words) const;

    const SweepFolder& folder_;
    const ClusterOptions& options_;
    unsigned times_stuck_ = 0;  // consecutive queries that found the pods stuck
};

}  // namespace sluice::cli

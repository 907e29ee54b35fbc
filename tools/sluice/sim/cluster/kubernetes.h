// Kubernetes: tasks as one Indexed Job (batch/v1), applied and asked after by kubectl.
//
// The Job's manifest is JSON in the folder (job.h). Its pods see the folder as a volume claim, and
// so must this machine, whose folder it is: where they see different ones, results never come. What
// pods leave undone is submitted again by who asked for it (carry.h). While no pod has run, pods
// are asked after too: whose image or volume there is not will not run by waiting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/sluice/sim/cluster/carrier.h"

namespace sluice::cli {

class Kubernetes : public Carrier {
  public:
    Kubernetes(const SweepFolder& folder, const Carriage& carriage)
        : folder_(folder), carriage_(carriage) {}

    [[nodiscard]] std::string_view name() const override { return "kubernetes"; }
    tl::expected<std::string, std::string> submit(std::size_t list, std::size_t tasks) override;
    [[nodiscard]] bool is_job(std::string_view name) const override;
    tl::expected<bool, std::string> goes_on(const std::string& job) override;
    std::string why_never(const std::string& job) override;
    [[nodiscard]] std::vector<std::string> options() const override { return carriage_.options; }
    [[nodiscard]] std::string how_to_end(const std::string& job) const override;

  private:
    [[nodiscard]] std::vector<std::string> kubectl(std::vector<std::string> words) const;

    const SweepFolder& folder_;
    const Carriage& carriage_;
    unsigned times_stuck_ = 0;  // in a row
};

}  // namespace sluice::cli

// Local: runs tasks on this machine: one task, a process of this program, with as many concurrent
// runs as there are cores. It ends with the process that started it.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "tools/sluice/sim/cluster/executor.h"

namespace sluice::cli {

class Local : public Executor {
  public:
    Local(const SweepFolder& folder, const ClusterOptions& options);
    ~Local() override;

    [[nodiscard]] std::string_view name() const override { return "local"; }
    [[nodiscard]] bool is_one_task() const override { return true; }
    tl::expected<std::string, std::string> submit(std::size_t list, std::size_t tasks) override;
    [[nodiscard]] bool is_job(std::string_view name) const override;
    tl::expected<bool, std::string> is_running(const std::string& job) override;
    [[nodiscard]] std::chrono::seconds visibility_delay() const override {
        return std::chrono::seconds(0);
    }
    [[nodiscard]] std::string cancel_command(const std::string& job) const override;

  private:
    const SweepFolder& folder_;
    std::size_t at_once_;
    int running_ = 0;  // process id of the task; 0: none
};

}  // namespace sluice::cli

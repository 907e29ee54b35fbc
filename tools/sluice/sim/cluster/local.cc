#include "tools/sluice/sim/cluster/local.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <thread>

#include "tools/sluice/sim/cluster/program.h"

namespace sluice::cli {

Local::Local(const SweepFolder& folder, const ClusterOptions& options)
    : folder_(folder),
      at_once_(options.at_once > 0 ? options.at_once
                                   : std::max(1U, std::thread::hardware_concurrency())) {}

Local::~Local() {
    if (running_ == 0) return;
    ::kill(running_, SIGTERM);
    ::waitpid(running_, nullptr, 0);
}

tl::expected<std::string, std::string> Local::submit(std::size_t list, std::size_t /*tasks*/) {
    const auto started =
        start({"/proc/self/exe", "sim", "run", "--work", folder_.path().string(), "--list",
               fmt::format("{}", list), "--task", "0", "--at-once", fmt::format("{}", at_once_)});
    if (!started) return tl::unexpected(started.error());
    running_ = *started;
    return fmt::format("process {}", running_);
}

// Returns false: the job of an earlier process ended with that process, so there is none to wait
// for.
bool Local::is_job(std::string_view /*name*/) const { return false; }

tl::expected<bool, std::string> Local::is_running(const std::string& /*job*/) {
    if (running_ == 0) return false;
    if (::waitpid(running_, nullptr, WNOHANG) == 0) return true;
    running_ = 0;
    return false;
}

std::string Local::cancel_command(const std::string& /*job*/) const { return {}; }

}  // namespace sluice::cli

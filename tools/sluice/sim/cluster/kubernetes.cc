#include "tools/sluice/sim/cluster/kubernetes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <utility>

#include "tools/sluice/sim/cluster/atomic_file.h"
#include "tools/sluice/sim/cluster/digest.h"
#include "tools/sluice/sim/cluster/job.h"
#include "tools/sluice/sim/cluster/program.h"

namespace sluice::cli {

namespace {

constexpr std::string_view prefix = "sluice-sim-";

// Returns a name that is unique to this submission: two folders of one sweep are two Jobs.
std::string new_name(const std::string& folder, std::size_t list) {
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return std::string(prefix) + Digest().add(folder).add(fmt::format("{} {}", list, now)).text();
}

}  // namespace

std::vector<std::string> Kubernetes::kubectl(std::vector<std::string> words) const {
    words.insert(words.begin(), options_.submit_options.begin(), options_.submit_options.end());
    words.insert(words.begin(), "kubectl");
    return words;
}

tl::expected<std::string, std::string> Kubernetes::submit(std::size_t list, std::size_t tasks) {
    const std::string name = new_name(folder_.path().string(), list);
    const std::string file = (folder_.path() / fmt::format("job-{}.json", list)).string();
    const Json manifest = job_manifest(options_, name, list, tasks);
    if (std::string why = write_atomically(file, manifest.dump(2) + '\n'); !why.empty()) {
        return tl::unexpected(std::move(why));
    }
    const auto said = output_of(kubectl({"apply", "--filename", file}));
    if (!said) return tl::unexpected(said.error());
    return name;
}

bool Kubernetes::is_job(std::string_view name) const {
    return name.starts_with(prefix) && name.size() == prefix.size() + 16 &&
           name.find_first_not_of("0123456789abcdef", prefix.size()) == name.npos;
}

tl::expected<bool, std::string> Kubernetes::is_running(const std::string& job) {
    const auto said =
        output_of(kubectl({"get", "job", job, "--ignore-not-found", "--output", "json"}));
    if (!said) return tl::unexpected(said.error());
    // The Job was removed.
    if (said->find_first_not_of(" \n") == std::string::npos) return false;
    return is_job_running(*said);
}

// Returns why the job is stuck. A reason that may pass, such as an image that cannot be pulled for
// a while, counts only after many queries found it.
std::string Kubernetes::why_stuck(const std::string& job) {
    constexpr unsigned often = 20;  // some two minutes of queries
    const auto said =
        output_of(kubectl({"get", "pods", "--selector=job-name=" + job, "--output", "json"}));
    const StuckPods stuck = said ? stuck_pods(*said) : StuckPods{};
    if (stuck.why.empty()) {
        times_stuck_ = 0;
        return {};
    }
    return stuck.for_good || ++times_stuck_ >= often ? stuck.why : std::string();
}

std::string Kubernetes::cancel_command(const std::string& job) const {
    return fmt::format("{}", fmt::join(kubectl({"delete", "job", job}), " "));
}

}  // namespace sluice::cli

// Job: an Indexed Job of Kubernetes (batch/v1) as JSON: its manifest, and its state as `kubectl`
// reports it.
//
// Each pod has one CPU and does one task. An index that fails does not fail the others
// (backoffLimitPerIndex, of Kubernetes 1.29 and later), and is not tried again by Kubernetes. A Job
// that has ended is removed by Kubernetes after a day, and any Job is ended by it after
// `longest_job`: a Job that can never run would otherwise stay for ever.
// Memory: a pod requests `pod_memory`; the node decides whether it gets more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "tools/common/table.h"
#include "tools/sluice/sim/cluster/cluster_options.h"

namespace sluice::cli {

inline constexpr std::string_view pod_memory = "1Gi";
inline constexpr int64_t longest_job = 14 * 24 * 3600;  // seconds
inline constexpr std::size_t pods_at_once = 64;         // where nobody says how many

// The manifest of a Job of that name, for the tasks of a list.
Json job_manifest(const ClusterOptions& options, const std::string& name, std::size_t list,
                  std::size_t tasks);
// True if a Job, as `kubectl get job -o json` shows it, has not ended; or why that is unknown.
tl::expected<bool, std::string> is_job_running(std::string_view text);

// Why no pod of a Job runs, from `kubectl get pods -o json`: the reason of the first pod, if every
// pod waits for something that its container lacks (an image, or a volume or secret of that name).
// Empty: a pod has run, some wait only for room, there are no pods, or the output is not
// understood.
struct StuckPods {
    std::string why = {};
    bool for_good = false;  // else it may heal
};
StuckPods stuck_pods(std::string_view text);

}  // namespace sluice::cli

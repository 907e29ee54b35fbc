// Job: an Indexed Job of Kubernetes (batch/v1) as JSON: its manifest, and its state as `kubectl`
// reports it.
//
// Each pod has one CPU and runs one task. An index that fails does not fail the others
// (backoffLimitPerIndex, of Kubernetes 1.29 and later), and Kubernetes does not retry it.
// Kubernetes removes a Job a day after its end, and ends any Job after `longest_job`: a Job that
// can never run would otherwise stay for ever.
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
inline constexpr std::size_t pods_at_once = 64;         // default of concurrent pods

// Returns the manifest of a Job with the name `name`, for the tasks of list `list`.
Json job_manifest(const ClusterOptions& options, const std::string& name, std::size_t list,
                  std::size_t tasks);
// Returns whether a Job has not ended, from `kubectl get job -o json`; or why that is unknown.
tl::expected<bool, std::string> is_job_running(std::string_view text);

// The reason why no pod of a Job runs, from `kubectl get pods -o json`: the reason of the first
// pod, if every pod waits for an image, volume or secret that its container lacks. Empty if a pod
// has run, some pods wait only for resources, there are no pods, or the output cannot be parsed.
struct StuckPods {
    std::string why = {};
    bool for_good = false;  // whether the condition cannot end by itself
};
StuckPods stuck_pods(std::string_view text);

}  // namespace sluice::cli

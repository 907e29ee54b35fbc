// Job: an Indexed Job of Kubernetes (batch/v1) as JSON: its manifest, and what is told of it.
//
// Each pod has one CPU and does one task. An index that fails does not fail the others
// (backoffLimitPerIndex, of Kubernetes 1.29 and later), and is not tried again by Kubernetes. A Job
// that has ended is removed by Kubernetes after a day.
// Memory: a pod asks for `pod_memory`; whether it gets more is the node's to say.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "tools/sluice/sim/cluster/carriage.h"
#include "tools/sluice/table.h"

namespace sluice::cli {

inline constexpr std::string_view pod_memory = "1Gi";
inline constexpr std::size_t pods_at_once = 64;  // where nobody says how many

// The manifest of a Job of that name, for the tasks of a list.
Json job_manifest(const Carriage& carriage, const std::string& name, std::size_t list,
                  std::size_t tasks);
// Whether a Job, as `kubectl get job -o json` shows it, has not ended; or why nobody knows.
tl::expected<bool, std::string> job_goes_on(std::string_view text);

}  // namespace sluice::cli

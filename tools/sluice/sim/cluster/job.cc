#include "tools/sluice/sim/cluster/job.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sluice::cli {

namespace {

constexpr std::string_view mounted_at = "/sweep";

// Reasons of kubelet for containers that wait for long.
constexpr auto may_heal = std::to_array<std::string_view>(
    {"ErrImagePull", "ImagePullBackOff", "CreateContainerConfigError"});
constexpr auto for_good =
    std::to_array<std::string_view>({"InvalidImageName", "ErrImageNeverPull"});

template <std::size_t count>
bool is_one_of(const std::array<std::string_view, count>& reasons, const std::string& reason) {
    return std::ranges::find(reasons, reason) != reasons.end();
}

// Returns why one pod is stuck; empty if it has begun, or waits for resources.
StuckPods stuck_pod(const Json& pod) {
    const Json containers = pod.at("status").value("containerStatuses", Json::array());
    for (const Json& container : containers) {
        const Json waiting = container.at("state").value("waiting", Json::object());
        const std::string reason = waiting.value("reason", "");
        if (!is_one_of(may_heal, reason) && !is_one_of(for_good, reason)) continue;
        const std::string message = waiting.value("message", "");
        return {.why = message.empty() ? reason : reason + ": " + message,
                .for_good = is_one_of(for_good, reason)};
    }
    return {};
}

}  // namespace

Json job_manifest(const ClusterOptions& options, const std::string& name, std::size_t list,
                  std::size_t tasks) {
    const std::size_t at_once = options.at_once > 0 ? options.at_once : pods_at_once;
    Json mount = {{"name", "sweep"}, {"mountPath", mounted_at}};
    if (!options.claim_path.empty()) mount["subPath"] = options.claim_path;
    // Kubernetes replaces $(JOB_COMPLETION_INDEX) by the index.
    const Json command =
        Json::array({"sluice", "sim", "run", "--work", mounted_at, "--list",
                     fmt::format("{}", list), "--task", "$(JOB_COMPLETION_INDEX)"});
    const Json security = {{"allowPrivilegeEscalation", false},
                           {"readOnlyRootFilesystem", true},
                           {"capabilities", {{"drop", Json::array({"ALL"})}}}};
    const Json container = {{"name", "sluice"},
                            {"image", options.image},
                            {"command", command},
                            {"resources", {{"requests", {{"cpu", "1"}, {"memory", pod_memory}}}}},
                            {"securityContext", security},
                            {"volumeMounts", Json::array({mount})}};
    const Json volume = {{"name", "sweep"},
                         {"persistentVolumeClaim", {{"claimName", options.claim}}}};
    const Json labels = {{"app.kubernetes.io/name", "sluice-sim"}};
    const Json pod = {
        {"restartPolicy", "Never"},
        {"automountServiceAccountToken", false},
        // Pods run as the user of this process, so that this user owns the results.
        {"securityContext", {{"runAsUser", ::geteuid()}, {"runAsGroup", ::getegid()}}},
        {"containers", Json::array({container})},
        {"volumes", Json::array({volume})}};
    return {{"apiVersion", "batch/v1"},
            {"kind", "Job"},
            {"metadata", {{"name", name}, {"labels", labels}}},
            {"spec",
             {{"completionMode", "Indexed"},
              {"completions", tasks},
              {"parallelism", std::min(tasks, at_once)},
              {"backoffLimitPerIndex", 0},
              {"activeDeadlineSeconds", longest_job},
              {"ttlSecondsAfterFinished", 24 * 3600},
              {"template", {{"metadata", {{"labels", labels}}}, {"spec", pod}}}}}};
}

tl::expected<bool, std::string> is_job_running(std::string_view text) {
    try {
        const Json job = Json::parse(text);
        if (job.at("kind") != "Job")
            return tl::unexpected(std::string("the output of kubectl is not a Job"));
        const Json conditions =
            job.value("status", Json::object()).value("conditions", Json::array());
        return !std::ranges::any_of(conditions, [](const Json& condition) {
            const Json& type = condition.at("type");
            return (type == "Complete" || type == "Failed") && condition.at("status") == "True";
        });
    } catch (const Json::exception&) {
        return tl::unexpected(std::string("the output of kubectl is invalid"));
    }
}

StuckPods stuck_pods(std::string_view text) {
    try {
        const Json list = Json::parse(text);
        StuckPods first;
        for (const Json& pod : list.at("items")) {
            StuckPods stuck = stuck_pod(pod);
            if (stuck.why.empty()) return {};
            if (first.why.empty()) first = std::move(stuck);
        }
        return first;
    } catch (const Json::exception&) {
        return {};
    }
}

}  // namespace sluice::cli

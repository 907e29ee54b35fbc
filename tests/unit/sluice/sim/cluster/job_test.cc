#include "tools/sluice/sim/cluster/job.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::cli {
namespace {

TEST(KubernetesJob, GoesOnUntilItIsCompleteOrFailed) {
    EXPECT_TRUE(is_job_running(R"({"kind":"Job","spec":{}})").value());
    EXPECT_TRUE(is_job_running(R"({"kind":"Job","status":{"active":3}})").value());
    EXPECT_TRUE(is_job_running(R"({"kind":"Job","status":{"conditions":[
        {"type":"FailureTarget","status":"True"},{"type":"Complete","status":"False"}]}})")
                    .value());
    for (const char* type : {"Complete", "Failed"}) {
        EXPECT_FALSE(is_job_running(std::string(R"({"kind":"Job","status":{"conditions":[
            {"type":"Suspended","status":"False"},{"type":")") +
                                    type + R"(","status":"True"}]}})")
                         .value());
    }
}

TEST(KubernetesJob, IsNotKnownFromOtherAnswers) {
    for (const char* answer :
         {"", "error", "[]", R"({"kind":"List","items":[]})", R"({"kind":"Job","status":7})",
          R"({"kind":"Job","status":{"conditions":[7]}})"}) {
        EXPECT_FALSE(is_job_running(answer).has_value()) << answer;
    }
}

std::string pods(const std::vector<std::string>& states) {
    std::string items;
    for (const std::string& state : states) {
        items += (items.empty() ? "" : ",") + std::string(R"({"status":{"containerStatuses":[{)") +
                 R"("state":)" + state + "}]}}";
    }
    return R"({"kind":"List","items":[)" + items + "]}";
}
std::string waiting(const std::string& reason) {
    return R"({"waiting":{"reason":")" + reason + R"(","message":"m"}})";
}

TEST(KubernetesJob, IsStuckWhereNoPodCanStart) {
    const StuckPods pull = stuck_pods(pods({waiting("ImagePullBackOff"), waiting("ErrImagePull")}));
    EXPECT_EQ(pull.why, "ImagePullBackOff: m");
    EXPECT_FALSE(pull.for_good);
    EXPECT_FALSE(stuck_pods(pods({waiting("CreateContainerConfigError")})).for_good);
    const StuckPods name = stuck_pods(pods({waiting("InvalidImageName")}));
    EXPECT_EQ(name.why, "InvalidImageName: m");
    EXPECT_TRUE(name.for_good);
}

TEST(KubernetesJob, IsNotWhereOneHasRunOrWaitsForRoom) {
    for (const std::string& other : {waiting("ContainerCreating"), std::string(R"({"running":{}})"),
                                     std::string(R"({"terminated":{"exitCode":0}})")}) {
        EXPECT_EQ(stuck_pods(pods({waiting("ErrImagePull"), other})).why, "") << other;
    }
    EXPECT_EQ(stuck_pods(R"({"items":[{"status":{"phase":"Pending"}}]})").why, "");
    for (const char* answer : {"", "[]", R"({"items":[]})", R"({"items":[7]})",
                               R"({"items":[{"status":{"containerStatuses":[{"state":7}]}}]})"}) {
        EXPECT_EQ(stuck_pods(answer).why, "") << answer;
    }
}

TEST(KubernetesJob, HasNoMorePodsThanTasks) {
    const ClusterOptions options{.image = "i", .claim = "c"};
    EXPECT_EQ(job_manifest(options, "n", 1, 3)["spec"]["parallelism"], 3);
    EXPECT_EQ(job_manifest(options, "n", 1, 900)["spec"]["parallelism"], pods_at_once);
    EXPECT_EQ(job_manifest({.at_once = 200}, "n", 1, 900)["spec"]["parallelism"], 200);
}

}  // namespace
}  // namespace sluice::cli

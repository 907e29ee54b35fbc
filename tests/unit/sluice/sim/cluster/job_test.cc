#include "tools/sluice/sim/cluster/job.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

TEST(KubernetesJob, GoesOnUntilItIsCompleteOrFailed) {
    EXPECT_TRUE(job_goes_on(R"({"kind":"Job","spec":{}})").value());
    EXPECT_TRUE(job_goes_on(R"({"kind":"Job","status":{"active":3}})").value());
    EXPECT_TRUE(job_goes_on(R"({"kind":"Job","status":{"conditions":[
        {"type":"FailureTarget","status":"True"},{"type":"Complete","status":"False"}]}})")
                    .value());
    for (const char* type : {"Complete", "Failed"}) {
        EXPECT_FALSE(job_goes_on(std::string(R"({"kind":"Job","status":{"conditions":[
            {"type":"Suspended","status":"False"},{"type":")") +
                                 type + R"(","status":"True"}]}})")
                         .value());
    }
}

TEST(KubernetesJob, IsNotKnownFromOtherAnswers) {
    for (const char* answer :
         {"", "error", "[]", R"({"kind":"List","items":[]})", R"({"kind":"Job","status":7})",
          R"({"kind":"Job","status":{"conditions":[7]}})"}) {
        EXPECT_FALSE(job_goes_on(answer).has_value()) << answer;
    }
}

TEST(KubernetesJob, HasNoMorePodsThanTasks) {
    const Carriage carriage{.image = "i", .claim = "c"};
    EXPECT_EQ(job_manifest(carriage, "n", 1, 3)["spec"]["parallelism"], 3);
    EXPECT_EQ(job_manifest(carriage, "n", 1, 900)["spec"]["parallelism"], pods_at_once);
    EXPECT_EQ(job_manifest({.at_once = 200}, "n", 1, 900)["spec"]["parallelism"], 200);
}

}  // namespace
}  // namespace sluice::cli

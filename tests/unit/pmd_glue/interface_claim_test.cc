#include "pmd_glue/interface_claim.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <iterator>
#include <string>

namespace sluice::pmd {
namespace {

// The loopback interface is always there and never has a program.
TEST(InterfaceClaim, OneHolderAtATime) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can write to /run";
    {
        const auto first = InterfaceClaim::take("p0", "lo");
        ASSERT_TRUE(first.has_value()) << first.error().text();
        const auto second = InterfaceClaim::take("p1", "lo");
        ASSERT_FALSE(second.has_value());
        EXPECT_EQ(second.error().key, "p1");
        EXPECT_EQ(second.error().remedy,
                  "stop it first: `kill " + std::to_string(::getpid()) + "`");
    }
    EXPECT_TRUE(InterfaceClaim::take("p1", "lo").has_value());
}

TEST(InterfaceClaim, MovesWithItsHolder) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can write to /run";
    auto first = InterfaceClaim::take("p0", "lo");
    ASSERT_TRUE(first.has_value()) << first.error().text();
    InterfaceClaim kept;
    kept = std::move(*first);
    EXPECT_FALSE(InterfaceClaim::take("p1", "lo").has_value());
}

TEST(InterfaceClaim, LeavesNothingBehind) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can write to /run";
    const auto claims = [] {
        return std::distance(std::filesystem::directory_iterator("/run/sluice"), {});
    };
    const auto first = InterfaceClaim::take("p0", "lo");
    const auto held = claims();
    { const auto other = InterfaceClaim::take("p1", "dummy-that-is-not-there"); }
    EXPECT_EQ(claims(), held);
}

}  // namespace
}  // namespace sluice::pmd

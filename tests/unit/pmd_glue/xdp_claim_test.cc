#include "pmd_glue/xdp_claim.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace sluice::pmd {
namespace {

// The loopback interface is always there and never has a program.
TEST(XdpClaim, OneHolderAtATime) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can write to /run";
    {
        const auto first = XdpClaim::take("p0", "lo");
        ASSERT_TRUE(first.has_value()) << first.error().text();
        const auto second = XdpClaim::take("p1", "lo");
        ASSERT_FALSE(second.has_value());
        EXPECT_EQ(second.error().key, "p1");
        EXPECT_NE(second.error().remedy.find("fuser"), std::string::npos);
    }
    EXPECT_TRUE(XdpClaim::take("p1", "lo").has_value());
}

TEST(XdpClaim, MovesWithItsHolder) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can write to /run";
    auto first = XdpClaim::take("p0", "lo");
    ASSERT_TRUE(first.has_value()) << first.error().text();
    XdpClaim kept;
    kept = std::move(*first);
    EXPECT_FALSE(XdpClaim::take("p1", "lo").has_value());
}

}  // namespace
}  // namespace sluice::pmd

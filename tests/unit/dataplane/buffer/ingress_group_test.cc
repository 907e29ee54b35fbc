#include "dataplane/buffer/ingress_group.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

PfcSettings levels() {
    PfcSettings pfc;
    pfc.xoff = 10_KiB;
    pfc.xon = 4_KiB;
    pfc.headroom = 6_KiB;
    return pfc;
}

TEST(IngressGroup, FitsUpToXoffExactly) {
    const PfcSettings pfc = levels();
    IngressGroup group;
    EXPECT_TRUE(group.below_xoff(10_KiB, pfc));
    EXPECT_FALSE(group.below_xoff(10_KiB + 1_B, pfc));
    group.charge(Account::shared, 9_KiB);
    EXPECT_TRUE(group.below_xoff(1_KiB, pfc));
    EXPECT_FALSE(group.below_xoff(2_KiB, pfc));
}

// As long as anything stands in the headroom, everything does: else frames would leave the pause
// behind while the peer still is to be held.
TEST(IngressGroup, NothingIsBelowXoffWhileTheHeadroomIsUsed) {
    const PfcSettings pfc = levels();
    IngressGroup group;
    group.charge(Account::headroom, 256_B);
    EXPECT_FALSE(group.below_xoff(256_B, pfc));
    group.release(Account::headroom, 256_B);
    EXPECT_TRUE(group.below_xoff(256_B, pfc));
}

TEST(IngressGroup, TheHeadroomHasItsOwnEnd) {
    const PfcSettings pfc = levels();
    IngressGroup group;
    group.charge(Account::shared, 10_KiB);
    group.charge(Account::headroom, 5_KiB);
    EXPECT_TRUE(group.fits_headroom(1_KiB, pfc));
    EXPECT_FALSE(group.fits_headroom(1_KiB + 1_B, pfc));
}

TEST(IngressGroup, IsAtXonWithLittleHeldAndTheHeadroomEmpty) {
    const PfcSettings pfc = levels();
    IngressGroup group;
    group.charge(Account::shared, 4_KiB);
    EXPECT_TRUE(group.at_xon(pfc));
    group.charge(Account::shared, 1_B);
    EXPECT_FALSE(group.at_xon(pfc));
    group.release(Account::shared, 2_B);
    group.charge(Account::headroom, 1_B);
    EXPECT_FALSE(group.at_xon(pfc));
    group.release(Account::headroom, 1_B);
    EXPECT_TRUE(group.at_xon(pfc));
}

TEST(IngressGroup, TellsItsAccountsAndTheirPeaks) {
    IngressGroup group;
    group.charge(Account::reserved, 1_KiB);
    group.charge(Account::shared, 2_KiB);
    group.charge(Account::headroom, 4_KiB);
    EXPECT_EQ(group.buffer(), 3_KiB);
    EXPECT_EQ(group.headroom(), 4_KiB);
    EXPECT_EQ(group.occupancy(), 7_KiB);
    group.release(Account::headroom, 4_KiB);
    group.release(Account::reserved, 1_KiB);
    EXPECT_EQ(group.occupancy(), 2_KiB);
    EXPECT_EQ(group.max(), 7U * 1024);
    EXPECT_EQ(group.headroom_max(), 4U * 1024);
}

}  // namespace
}  // namespace sluice

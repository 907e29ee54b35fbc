#include "dataplane/buffer/ingress_priority_group.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;
using Part = IngressPriorityGroup::Part;

constexpr Bytes plenty = 1_MiB;  // free in the pool

PfcSettings levels() {
    PfcSettings pfc;
    pfc.xoff = 10_KiB;
    pfc.xon = 4_KiB;
    pfc.headroom = 6_KiB;
    return pfc;
}

TEST(IngressPriorityGroup, IsAtXoffWhenThatIsHeld) {
    const PfcSettings pfc = levels();
    IngressPriorityGroup group;
    EXPECT_FALSE(group.at_xoff(pfc, plenty));
    group.charge(Part::pool, 10_KiB - 1_B);
    EXPECT_FALSE(group.at_xoff(pfc, plenty));
    group.charge(Part::pool, 1_B);
    EXPECT_TRUE(group.at_xoff(pfc, plenty));
}

TEST(IngressPriorityGroup, IsAtXoffWhenThePoolIsGone) {
    const PfcSettings pfc = levels();
    IngressPriorityGroup group;
    group.charge(Part::pool, 1_KiB);
    EXPECT_FALSE(group.at_xoff(pfc, 1_B));
    EXPECT_TRUE(group.at_xoff(pfc, 0_B));
    EXPECT_TRUE(group.at_xoff(pfc, 0_B - 1_KiB));
}

TEST(IngressPriorityGroup, FitsBelowXoffExactly) {
    const PfcSettings pfc = levels();
    IngressPriorityGroup group;
    group.charge(Part::pool, 9_KiB);
    EXPECT_TRUE(group.fits_below_xoff(1_KiB, pfc, plenty));
    EXPECT_FALSE(group.fits_below_xoff(1_KiB + 1_B, pfc, plenty));
    EXPECT_FALSE(group.fits_below_xoff(1_KiB, pfc, 1_KiB - 1_B));
}

TEST(IngressPriorityGroup, NothingIsBelowXoffWhileTheHeadroomIsUsed) {
    const PfcSettings pfc = levels();
    IngressPriorityGroup group;
    group.charge(Part::headroom, 256_B);
    EXPECT_FALSE(group.fits_below_xoff(256_B, pfc, plenty));
    group.release(256_B);
    EXPECT_TRUE(group.fits_below_xoff(256_B, pfc, plenty));
}

TEST(IngressPriorityGroup, TheHeadroomHasItsOwnEnd) {
    const PfcSettings pfc = levels();
    IngressPriorityGroup group;
    group.charge(Part::pool, 10_KiB);
    group.charge(Part::headroom, 5_KiB);
    EXPECT_TRUE(group.fits_headroom(1_KiB, pfc));
    EXPECT_FALSE(group.fits_headroom(1_KiB + 1_B, pfc));
}

TEST(IngressPriorityGroup, IsAtXonWithLittleHeldAndTheHeadroomEmpty) {
    const PfcSettings pfc = levels();
    IngressPriorityGroup group;
    group.charge(Part::pool, 4_KiB);
    EXPECT_TRUE(group.at_xon(pfc, plenty));
    group.charge(Part::pool, 1_B);
    EXPECT_FALSE(group.at_xon(pfc, plenty));
    group.release(2_B);
    group.charge(Part::headroom, 1_B);
    EXPECT_FALSE(group.at_xon(pfc, plenty));
    group.release(1_B);
    EXPECT_TRUE(group.at_xon(pfc, plenty));
}

// Whichever frame leaves: first the headroom is free again, then the pool, last the reserve.
TEST(IngressPriorityGroup, GivesBackInTheOppositeOrder) {
    IngressPriorityGroup group;
    group.charge(Part::reserve, 1_KiB);
    group.charge(Part::pool, 10_KiB);
    group.charge(Part::headroom, 4_KiB);
    EXPECT_EQ(group.release(3_KiB), 0_B);
    EXPECT_EQ(group.headroom(), 1_KiB);
    EXPECT_EQ(group.release(3_KiB), 2_KiB);  // of which so much is the pool's
    EXPECT_EQ(group.headroom(), 0_B);
    EXPECT_EQ(group.used(), 9_KiB);
    EXPECT_EQ(group.release(9_KiB), 8_KiB);
    EXPECT_EQ(group.occupancy(), 0_B);
}

TEST(IngressPriorityGroup, WithThePoolGoneOnlyAnEmptyOneIsAtXon) {
    PfcSettings pfc = levels();
    IngressPriorityGroup group;
    group.charge(Part::pool, 1_KiB);
    EXPECT_TRUE(group.at_xon(pfc, 1_B));
    EXPECT_FALSE(group.at_xon(pfc, 0_B));
    pfc.reserved = 2_KiB;
    EXPECT_TRUE(group.at_xon(pfc, 0_B));  // it has a place of its own
    group.release(1_KiB);
    pfc.reserved = 0_B;
    EXPECT_TRUE(group.at_xon(pfc, 0_B));
}

TEST(IngressPriorityGroup, HasItsReserveFirst) {
    PfcSettings pfc = levels();
    pfc.reserved = 2_KiB;
    IngressPriorityGroup group;
    EXPECT_TRUE(group.fits_reserve(2_KiB, pfc));
    group.charge(Part::reserve, 1_KiB);
    EXPECT_FALSE(group.fits_reserve(1_KiB + 1_B, pfc));
    EXPECT_FALSE(group.at_xoff(pfc, 0_B));  // the pool is gone, its reserve is not
    group.charge(Part::reserve, 1_KiB);
    EXPECT_TRUE(group.at_xoff(pfc, 0_B));
}

// Its levels are those of the output in that case.
TEST(IngressPriorityGroup, UnderTheTriggerOfAnOutputItHasNoLevelOfItsOwn) {
    PfcSettings pfc = levels();
    pfc.trigger = PauseTrigger::egress;
    IngressPriorityGroup group;
    group.charge(Part::pool, 100_KiB);
    EXPECT_FALSE(group.at_xoff(pfc, plenty));
    EXPECT_TRUE(group.at_xon(pfc, plenty));
    group.charge(Part::headroom, 1_B);
    EXPECT_FALSE(group.at_xon(pfc, plenty));
}

TEST(IngressPriorityGroup, AnEmptyOneIsAlwaysAtXon) {
    PfcSettings pfc = levels();
    pfc.alpha_128 = 64;
    const IngressPriorityGroup group;
    EXPECT_TRUE(group.at_xon(pfc, 0_B - 1_MiB));
}

TEST(IngressPriorityGroup, WhatGoesToLossyOutputsIsNeitherHeldNorHeadroom) {
    IngressPriorityGroup group;
    group.charge_lossy(20_KiB);
    group.charge_lossy(1_KiB);
    EXPECT_EQ(group.used(), 0_B);
    EXPECT_FALSE(group.at_xoff(levels(), plenty));
    EXPECT_EQ(group.occupancy(), 21_KiB);
}

TEST(IngressPriorityGroup, ShowsItsAccountsAndTheirPeaks) {
    IngressPriorityGroup group;
    group.charge(Part::reserve, 1_KiB);
    group.charge(Part::pool, 2_KiB);
    group.charge(Part::headroom, 4_KiB);
    EXPECT_EQ(group.used(), 3_KiB);
    EXPECT_EQ(group.headroom(), 4_KiB);
    EXPECT_EQ(group.occupancy(), 7_KiB);
    group.release(4_KiB);
    group.release(1_KiB);
    EXPECT_EQ(group.occupancy(), 2_KiB);
    EXPECT_EQ(group.max(), 7U * 1024);
    EXPECT_EQ(group.headroom_max(), 4U * 1024);
}

}  // namespace
}  // namespace sluice

#include "dataplane/buffer/pause_levels.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

constexpr Bytes plenty = 1024_MiB;

PfcSettings levels() {
    return {.reserved = 1_KiB, .alpha_128 = 64, .xoff = 10_KiB, .xon = 1_KiB, .xon_offset = 2_KiB};
}

TEST(PauseLevels, FollowTheFreePool) {
    const PfcSettings pfc = levels();
    EXPECT_EQ(xoff_level(pfc, plenty), 10_KiB);  // `xoff` is the most
    EXPECT_EQ(xon_level(pfc, plenty), 8_KiB);
    EXPECT_EQ(xoff_level(pfc, 10_KiB), 6_KiB);  // reserved + half of the free pool
    EXPECT_EQ(xon_level(pfc, 10_KiB), 4_KiB);
    EXPECT_EQ(xoff_level(pfc, 2_KiB), 2_KiB);
    EXPECT_EQ(xon_level(pfc, 2_KiB), 1_KiB);
    EXPECT_EQ(xoff_level(pfc, 0_B - 9_KiB), 1_KiB);
    EXPECT_EQ(xon_level(pfc, 0_B - 9_KiB), 1_KiB);  // never above XOFF
}

TEST(PauseLevels, WithoutAnAlphaTheyAreWhatIsWritten) {
    PfcSettings pfc = levels();
    pfc.alpha_128 = 0;
    pfc.xon_offset = 0_B;
    EXPECT_EQ(xoff_level(pfc, 0_B), 10_KiB);
    EXPECT_EQ(xon_level(pfc, 0_B), 1_KiB);
}

TEST(PauseLevels, AnOutputHasNoReserve) {
    PfcSettings pfc = levels();
    pfc.trigger = PauseTrigger::egress;
    EXPECT_EQ(xoff_level(pfc, plenty), 10_KiB);
    EXPECT_EQ(xon_level(pfc, plenty), 8_KiB);
    EXPECT_EQ(xoff_level(pfc, 10_KiB), 5_KiB);
    EXPECT_EQ(xon_level(pfc, 10_KiB), 3_KiB);
    EXPECT_EQ(xoff_level(pfc, 0_B), 0_B);
    EXPECT_EQ(xon_level(pfc, 0_B), 0_B);
}

}  // namespace
}  // namespace sluice

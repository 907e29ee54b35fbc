#include "tools/sluice/calc/link.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

TEST(CalcLink, what_is_reserved_is_rounded_up) {
    EXPECT_EQ(octets_in(800, 400'000'000'000), 40'000);
    EXPECT_EQ(octets_in(1, 8'000'000'000), 1);
    EXPECT_EQ(octets_in(1, 8'000'000'001), 2);
    EXPECT_EQ(octets_in(0, 400'000'000'000), 0);
}

TEST(CalcLink, the_most_that_may_be_asked_for_does_not_wrap) {
    constexpr int64_t ten_seconds = 10'000'000'000;
    constexpr int64_t ports_of_a_chassis = 10'000'000'000'000'000;
    EXPECT_EQ(octets_in(ten_seconds, ports_of_a_chassis), ports_of_a_chassis / 8 * 10);
}

TEST(CalcLink, times_keep_their_fractions) {
    EXPECT_DOUBLE_EQ(serialisation_of(1406, 100'000'000'000), 112.48);
    EXPECT_DOUBLE_EQ(serialisation_of(1, 400'000'000'000), 0.02);
    EXPECT_DOUBLE_EQ(propagation_over(198), 1);
}

}  // namespace
}  // namespace sluice::cli

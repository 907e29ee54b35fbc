#include "tools/common/quantities.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

TEST(Quantities, counts_have_separators) {
    EXPECT_EQ(show_count(0), "0");
    EXPECT_EQ(show_count(999), "999");
    EXPECT_EQ(show_count(1000), "1,000");
    EXPECT_EQ(show_count(1234567), "1,234,567");
    EXPECT_EQ(show_count(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Quantities, rates_go_by_thousands) {
    EXPECT_EQ(show_rate(0), "0 b/s");
    EXPECT_EQ(show_rate(10e9), "10 Gb/s");
    EXPECT_EQ(show_rate(999.96e6), "1000 Mb/s");
    EXPECT_EQ(show_rate(12'345'678), "12.35 Mb/s");
    EXPECT_EQ(show_rate(5e16), "50000 Tb/s");
}

TEST(Quantities, sizes_go_by_1024) {
    EXPECT_EQ(show_size(256), "256 B");
    EXPECT_EQ(show_size(1536), "1.5 KiB");
    EXPECT_EQ(show_size(16 * 1024 * 1024), "16 MiB");
}

TEST(Quantities, times_shares_and_frequencies) {
    EXPECT_EQ(show_nanos(1500), "1.5 us");
    EXPECT_EQ(show_nanos(2e9), "2 s");
    EXPECT_EQ(show_share(0.125), "12.5 %");
    EXPECT_EQ(show_per_second(14'880'000), "14.88 M/s");
}

}  // namespace
}  // namespace sluice::cli

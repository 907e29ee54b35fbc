#include "dataplane/latency/wait_histogram.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

TEST(WaitHistogram, bounds_rise_by_a_quarter_of_a_doubling) {
    EXPECT_EQ(WaitHistogram::bound_of(0), 256U);
    EXPECT_EQ(WaitHistogram::bound_of(1), 320U);
    EXPECT_EQ(WaitHistogram::bound_of(4), 512U);
    EXPECT_EQ(WaitHistogram::bound_of(5), 640U);
    EXPECT_EQ(WaitHistogram::bound_of(WaitHistogram::buckets - 2), uint64_t{1} << 34);
    EXPECT_EQ(WaitHistogram::bound_of(WaitHistogram::buckets - 1), WaitHistogram::no_bound);
}

TEST(WaitHistogram, each_wait_is_below_its_bound_and_not_below_the_one_before) {
    for (uint64_t nanos = 1; nanos < uint64_t{1} << 36; nanos += nanos / 7 + 1) {
        const std::size_t bucket = WaitHistogram::bucket_of(nanos);
        ASSERT_LT(bucket, WaitHistogram::buckets);
        EXPECT_LT(nanos, WaitHistogram::bound_of(bucket));
        EXPECT_TRUE(bucket == 0 || nanos >= WaitHistogram::bound_of(bucket - 1)) << nanos;
    }
    EXPECT_EQ(WaitHistogram::bucket_of(0), 0U);
}

TEST(WaitHistogram, counts_by_priority) {
    WaitHistogram waits;
    waits.add(3, Nanos(300));
    waits.add(3, Nanos(310));
    waits.add(7, Nanos(-5));  // of a clock of another core
    EXPECT_EQ(waits.frames(3, 1), 2U);
    EXPECT_EQ(waits.sum(3), 610U);
    EXPECT_EQ(waits.longest(3), 310U);
    EXPECT_EQ(waits.frames(7, 0), 1U);
    EXPECT_EQ(waits.frames(0, 0), 0U);
    waits.clear_watermark();
    EXPECT_EQ(waits.longest(3), 0U);
    EXPECT_EQ(waits.sum(3), 610U);
}

}  // namespace
}  // namespace sluice

#include "dataplane/retry/gap_report.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr Nanos begin{0};

TEST(GapReport, NamesNeighboursAsOneRun) {
    GapReport gaps(3, Nanos(0));
    gaps.add(7, 1);
    gaps.add(8, 2);
    gaps.add(20, 1);
    EXPECT_EQ(gaps.tell(begin), (RetryRuns{{7, 3}, {20, 1}}));
}

TEST(GapReport, TellsEachAsOftenAsItIsToAndNoSooner) {
    GapReport gaps(2, Nanos(100));
    gaps.add(7, 1);
    EXPECT_EQ(gaps.tell(begin), (RetryRuns{{7, 1}}));
    gaps.add(9, 1);
    EXPECT_EQ(gaps.tell(Nanos(99)), (RetryRuns{{9, 1}}));
    EXPECT_EQ(gaps.tell(Nanos(100)), (RetryRuns{{7, 1}}));
    EXPECT_FALSE(gaps.is_empty());
    EXPECT_EQ(gaps.tell(Nanos(199)), (RetryRuns{{9, 1}}));
    EXPECT_TRUE(gaps.is_empty());
}

TEST(GapReport, ALongRunIsSeveral) {
    GapReport gaps(1, Nanos(0));
    gaps.add(UINT32_MAX, 70'000);
    EXPECT_EQ(gaps.tell(begin), (RetryRuns{{UINT32_MAX, 65'535}, {65'534, 4465}}));
}

// A late frame without room lies inside a run or before it.
TEST(GapReport, WhatComesLateTakesNothingFromTheNewest) {
    GapReport gaps(1, Nanos(0));
    for (uint32_t n = 0; n + 1 < RetryRuns::most; ++n) gaps.add(10 * n, 1);
    gaps.add(310, 50);
    gaps.add(312, 1);
    gaps.add(309, 1);
    gaps.add(400, 1);
    EXPECT_EQ(gaps.tell(begin).all().back(), (RetryRun{310, 91})) << "with what lies between both";
}

TEST(GapReport, TheOldestThatWasToldMakesRoom) {
    GapReport gaps(3, Nanos(0));
    for (uint32_t n = 0; n < RetryRuns::most; ++n) gaps.add(10 * n, 1);
    gaps.tell(begin);
    gaps.add(1000, 1);
    const RetryRuns told = gaps.tell(begin);
    EXPECT_EQ(told.all().front(), (RetryRun{10, 1}));
    EXPECT_EQ(told.all().back(), (RetryRun{1000, 1}));
}

}  // namespace
}  // namespace sluice

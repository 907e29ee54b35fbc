#include "dataplane/pfc/time_history.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

using namespace literals;

// Adds the time from `from` to `to`.
void span(TimeHistory& history, Nanos from, Nanos to) {
    history.begin(from);
    history.end(to);
}

TEST(TimeHistory, IsEmptyAtFirst) {
    const TimeHistory history;
    EXPECT_EQ(history.total(10_s), 0_s);
    EXPECT_EQ(history.last_second(10_s), 0_s);
    EXPECT_EQ(history.last_minute(100_s), 0_s);
}

TEST(TimeHistory, AddsUpSpans) {
    TimeHistory history;
    span(history, 10_s, 10_s + 5_ms);
    span(history, 10_s + 7_ms, 10_s + 10_ms);
    EXPECT_EQ(history.total(11_s), 8_ms);
    EXPECT_EQ(history.last_second(11_s), 8_ms);
}

TEST(TimeHistory, KnowsItsLastSpanAndHowManyThereWere) {
    TimeHistory history;
    EXPECT_EQ(history.spans(), 0U);
    span(history, 10_s, 10_s + 5_ms);
    span(history, 11_s, 11_s + 3_ms);
    EXPECT_EQ(history.spans(), 2U);
    EXPECT_EQ(history.recent(20_s).from, 11_s);
    EXPECT_EQ(history.recent(20_s).length, 3_ms);
    history.begin(12_s);
    history.ends_at(12_s + 7_ms);
    EXPECT_EQ(history.spans(), 3U);
    EXPECT_EQ(history.recent(12_s + 1_ms).from, 12_s);
    EXPECT_EQ(history.recent(12_s + 1_ms).length, 1_ms);
    EXPECT_EQ(history.recent(20_s).length, 7_ms) << "though nobody has ended it";
    history.end(12_s + 7_ms);
    EXPECT_EQ(history.recent(20_s).length, 7_ms);
}

TEST(TimeHistory, ASpanIsSharedOutOverItsSeconds) {
    TimeHistory history;
    span(history, 10_s + 900_ms, 12_s + 100_ms);
    EXPECT_EQ(history.last_second(11_s), 100_ms);
    EXPECT_EQ(history.last_second(12_s), 1_s);
    EXPECT_EQ(history.last_second(13_s), 100_ms);
    EXPECT_EQ(history.last_second(14_s), 0_s);
    EXPECT_EQ(history.last_minute(13_s), 1200_ms);
}

TEST(TimeHistory, TheLastSecondIsTheLastWholeOne) {
    TimeHistory history;
    span(history, 10_s, 10_s + 5_ms);
    EXPECT_EQ(history.last_second(10_s + 900_ms), 0_s);
    EXPECT_EQ(history.last_second(11_s + 999_ms), 5_ms);
}

TEST(TimeHistory, WhatLastsIsCountedUpToNow) {
    TimeHistory history;
    history.begin(10_s + 500_ms);
    EXPECT_EQ(history.total(11_s), 500_ms);
    EXPECT_EQ(history.last_second(11_s), 500_ms);
    EXPECT_EQ(history.last_second(12_s), 1_s);
    EXPECT_EQ(history.last_minute(80_s), 60_s);
    EXPECT_EQ(history.ended(), 0_s);
    history.end(12_s);
    EXPECT_EQ(history.ended(), 1500_ms);
    EXPECT_EQ(history.total(80_s), 1500_ms);
}

// A pause runs out by itself; nobody need look for it to be over.
TEST(TimeHistory, WhatEndsByItselfIsNotCountedBeyondThat) {
    TimeHistory history;
    history.begin(10_s);
    history.ends_at(10_s + 300_ms);
    EXPECT_EQ(history.total(10_s + 200_ms), 200_ms);
    EXPECT_EQ(history.total(20_s), 300_ms);
    EXPECT_EQ(history.last_second(11_s), 300_ms);
    history.end(10_s + 300_ms);
    EXPECT_EQ(history.total(20_s), 300_ms);
    history.begin(21_s);  // this one has no end yet
    EXPECT_EQ(history.total(22_s), 1300_ms);
}

TEST(TimeHistory, ForgetsSecondsAfterAMinute) {
    TimeHistory history;
    span(history, 10_s, 10_s + 5_ms);
    EXPECT_EQ(history.last_minute(70_s + 999_ms), 5_ms);
    EXPECT_EQ(history.last_minute(71_s), 0_s);
    span(history, 74_s, 74_s + 1_ms);  // the word of second 10
    EXPECT_EQ(history.last_minute(75_s), 1_ms);
    EXPECT_EQ(history.total(75_s), 6_ms);
}

TEST(TimeHistory, AVeryLongSpanFillsTheMinuteAndIsWholeInTheTotal) {
    TimeHistory history;
    span(history, 10_s, 10000_s);
    EXPECT_EQ(history.last_minute(10000_s), 60_s);
    EXPECT_EQ(history.total(10000_s), 9990_s);
}

TEST(TimeHistory, AnEndWithoutABeginningIsNothing) {
    TimeHistory history;
    history.end(10_s);
    EXPECT_EQ(history.total(11_s), 0_s);
    span(history, 12_s, 12_s);
    EXPECT_EQ(history.total(13_s), 0_s);
}

}  // namespace
}  // namespace sluice

#include "control/dcbx/scheduling.h"

#include <gtest/gtest.h>

#include "control/dcbx/percent.h"

namespace sluice::dcbx {
namespace {

using enum Selection;
using Weights = std::array<uint16_t, max_priorities>;

TEST(Scheduling, APriorityIsAClassOfItsOwnUnlessWritten) {
    SchedulerSettings scheduler;
    scheduler.discipline[0] = scheduler.discipline[3] = Discipline::dwrr;
    scheduler.weight[0] = 30;
    scheduler.weight[3] = 60;
    EXPECT_EQ(ets_of(scheduler), (Ets{.class_of = {0, 1, 2, 3, 4, 5, 6, 7},
                                      .bandwidth = {33, 0, 0, 67},
                                      .selection = {ets, strict, strict, ets}}));
    EXPECT_EQ(ets_of({}).bandwidth, PerClass{}) << "all strict: nothing to share";
}

TEST(Scheduling, ClassesAreThoseOfThePeer) {
    const auto scheduler = scheduler_of({.class_of = {0, 0, 0, 1, 0, 2, 3, 4},
                                         .bandwidth = {40, 50, 10},
                                         .selection = {ets, ets, vendor, strict, credit_based}});
    EXPECT_EQ(scheduler.traffic_class, (PerPriority{0, 0, 0, 1, 0, 2, 3, 4}));
    for (const std::size_t shares : {0U, 1U, 2U}) {
        EXPECT_EQ(scheduler.discipline[shares], Discipline::dwrr) << shares;
    }
    for (const std::size_t first : {3U, 4U}) {
        EXPECT_EQ(scheduler.discipline[first], Discipline::strict) << first;
    }
    EXPECT_EQ(scheduler.weight, (Weights{4, 5, 1, 1, 1, 1, 1, 1}));
}

TEST(Scheduling, AClassOfSeveralPrioritiesIsAdvertisedAsOne) {
    SchedulerSettings scheduler;
    scheduler.traffic_class = {0, 0, 0, 0, 1, 1, 7, 7};
    scheduler.discipline[0] = scheduler.discipline[1] = scheduler.discipline[2] = Discipline::dwrr;
    scheduler.weight = {25, 75, 1000};
    EXPECT_EQ(ets_of(scheduler), (Ets{.class_of = {0, 0, 0, 0, 1, 1, 7, 7},
                                      .bandwidth = {25, 75},
                                      .selection = {ets, ets}}));
}

TEST(Scheduling, AClassWithoutBandwidthIsStillServed) {
    const auto scheduler =
        scheduler_of({.class_of = {0, 1}, .bandwidth = {0, 100}, .selection = {ets, ets}});
    EXPECT_EQ(scheduler.weight[0], 1);
    EXPECT_EQ(scheduler.weight[1], 100);
}

TEST(Scheduling, WhatWasAdvertisedAndTakenIsTheSameShare) {
    SchedulerSettings scheduler;
    scheduler.discipline.fill(Discipline::dwrr);
    scheduler.weight = {1, 1, 2, 2, 4, 4, 8, 10};
    const Ets advertised = ets_of(scheduler);
    EXPECT_EQ(ets_of(scheduler_of(advertised)), advertised);
}

TEST(Percent, MakesAHundredWhateverTheParts) {
    EXPECT_EQ(in_percent({1, 1, 1}), (PerClass{34, 33, 33}));
    EXPECT_EQ(in_percent({1, 999}), (PerClass{0, 100}));
    EXPECT_EQ(in_percent({1, 1, 1, 1, 1, 1, 1, 1}), (PerClass{13, 13, 13, 13, 12, 12, 12, 12}));
    EXPECT_FALSE(in_percent({}));
}

}  // namespace
}  // namespace sluice::dcbx

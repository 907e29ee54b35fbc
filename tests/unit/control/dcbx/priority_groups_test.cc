#include "control/dcbx/priority_groups.h"

#include <gtest/gtest.h>

namespace sluice::dcbx {
namespace {

using enum Selection;
constexpr auto avb = CreditBasedGroups::two;

Ets read(const PriorityGroups& groups) {
    FaultCounters faults;
    return read_groups(groups, avb, faults).value();
}

TEST(PriorityGroups, StrictGetsTheHighestFreeClassWithoutBandwidth) {
    const auto ets_read = read({.group_of = {0, 0, 0, 1, 15, 15, 15, 15}, .bandwidth = {50, 50}});
    EXPECT_EQ(ets_read.class_of, (PerPriority{0, 0, 0, 1, 7, 7, 7, 7}));
    EXPECT_EQ(ets_read.selection[7], strict);
    const auto used =
        read({.group_of = {7, 7, 7, 1, 15, 15, 15, 15}, .bandwidth = {0, 50, 0, 0, 0, 0, 25, 25}});
    EXPECT_EQ(used.class_of, (PerPriority{7, 7, 7, 1, 5, 5, 5, 5}));
}

TEST(PriorityGroups, ThereIsAClassForStrictWhateverIsUsed) {
    const auto full = read(
        {.group_of = {0, 1, 2, 3, 4, 13, 14, 15}, .bandwidth = {10, 10, 10, 10, 10, 10, 20, 20}});
    EXPECT_EQ(full.class_of, (PerPriority{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(full.selection,
              (std::array{ets, ets, ets, ets, ets, credit_based, credit_based, strict}));
}

TEST(PriorityGroups, AreWrittenAsTheyWereRead) {
    const PriorityGroups groups{.group_of = {15, 14, 13, 0, 0, 6, 6, 15},
                                .bandwidth = {30, 0, 0, 0, 0, 0, 70, 0}};
    const auto again = write_groups(read(groups), avb);
    EXPECT_EQ(again.group_of, groups.group_of);
    EXPECT_EQ(again.bandwidth, groups.bandwidth);
}

// The only classes without bandwidth go to groups 15 and 14, and 13 must not rank above them.
TEST(PriorityGroups, TheAvbGroupsKeepTheirOrderWhereBandwidthIsInTheWay) {
    const PriorityGroups groups{.group_of = {15, 3, 0, 1, 5, 13, 14, 7},
                                .bandwidth = {0, 0, 0, 0, 40, 60}};
    const Ets said = read(groups);
    EXPECT_EQ(said.class_of, (PerPriority{6, 3, 0, 1, 5, 2, 4, 7}));
    EXPECT_EQ(write_groups(said, avb).group_of, groups.group_of);
    EXPECT_EQ(read(write_groups(said, avb)), said);
}

TEST(PriorityGroups, CreditBasedIsStrictWhereThereIsNoSuchGroup) {
    const Ets said{.class_of = {0, 0, 0, 0, 0, 0, 1, 2},
                   .bandwidth = {100},
                   .selection = {ets, credit_based, credit_based}};
    EXPECT_EQ(write_groups(said, avb).group_of, (PerPriority{0, 0, 0, 0, 0, 0, 13, 14}));
    EXPECT_EQ(write_groups(said, CreditBasedGroups::none).group_of,
              (PerPriority{0, 0, 0, 0, 0, 0, 15, 15}));
    FaultCounters faults;
    EXPECT_FALSE(read_groups(write_groups(said, avb), CreditBasedGroups::none, faults));
    EXPECT_EQ(faults[Fault::traffic_class], 1U);
}

}  // namespace
}  // namespace sluice::dcbx

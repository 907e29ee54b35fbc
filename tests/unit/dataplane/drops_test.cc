#include "dataplane/types/drops.h"

#include <gtest/gtest.h>

#include <set>

#include "dataplane/types/released.h"

namespace sluice {
namespace {

TEST(Drops, EachReasonHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (const DropName& row : drop_names) names.insert(row.name);
    EXPECT_EQ(names.size(), drop_reasons);
    EXPECT_EQ(name_of(Drop::none), "none");
    EXPECT_EQ(name_of(Drop::truncated_tag), "truncated_tag");
    EXPECT_EQ(name_of(Drop::over_threshold), "over_threshold");
    EXPECT_EQ(name_of(Drop::headroom_overrun), "headroom_overrun");
    EXPECT_EQ(name_of(Drop::shutdown), "shutdown");
}

TEST(DropCounters, CountByReason) {
    DropCounters drops;
    drops.count(Drop::runt);
    drops.count(Drop::egress_down, 5);
    drops.count(Drop::runt);
    EXPECT_EQ(drops.of(Drop::runt), 2U);
    EXPECT_EQ(drops.of(Drop::egress_down), 5U);
    EXPECT_EQ(drops.of(Drop::oversize), 0U);
    EXPECT_EQ(drops.total(), 7U);
}

TEST(Released, KeepsWhatIsFreedAndWhatIsSharedApart) {
    Released released;
    int buffer = 0;
    released.free(&buffer);
    released.share(&buffer, 3);
    EXPECT_EQ(released.room(), Released::capacity - 1);
    EXPECT_EQ(released.freed_count, 1U);
    EXPECT_EQ(released.shared_count, 1U);
    EXPECT_EQ(released.shared[0].extra, 3);
    released.clear();
    EXPECT_EQ(released.room(), Released::capacity);
    EXPECT_EQ(released.shared_count, 0U);
}

}  // namespace
}  // namespace sluice

#include "control/querier/election.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice::querier {
namespace {

using namespace sluice::literals;

constexpr Nanos begin = 1000_s;
constexpr Times times{.interval = 100_s, .response = 10_s, .ageing = 700_s};

GroupSource address(uint64_t low) { return {.high = 0, .low = low}; }

// Returns the seconds after `begin`, from `first` to `last`, at which the election queries.
std::string queries(Election& election, int first, int last) {
    std::string text;
    for (int second = first; second <= last; ++second) {
        if (!election.take_due(begin + Nanos(second * int64_t{1'000'000'000}))) continue;
        text += (text.empty() ? "" : " ") + std::to_string(second);
    }
    return text;
}

TEST(Election, BeginsTwiceAndGoesOnByTheInterval) {
    Election election(address(5), times, begin);
    EXPECT_EQ(queries(election, 0, 350), "0 25 125 225 325");
}

TEST(Election, ALowerAddressSilencesItUntilItIsGone) {
    Election election(address(5), times, begin);
    EXPECT_EQ(queries(election, 0, 40), "0 25");
    election.hear(address(4), 7, 0, begin + 40_s);
    ASSERT_TRUE(election.other());
    EXPECT_EQ(election.other()->port, 7);
    EXPECT_EQ(queries(election, 41, 244), "");
    EXPECT_TRUE(election.other());
    EXPECT_EQ(queries(election, 245, 350), "245 345") << "two intervals and half a response later";
    EXPECT_FALSE(election.other());
}

TEST(Election, AHigherAddressItselfAndNobodyDoNot) {
    Election election(address(5), times, begin);
    for (const uint64_t low : {6UL, 5UL, 0UL}) election.hear(address(low), 7, 0, begin);
    EXPECT_EQ(queries(election, 0, 30), "0 25");
}

TEST(Election, WithoutAnAddressAnyOtherGoesBefore) {
    Election election({}, times, begin);
    election.hear({}, 7, 0, begin);
    EXPECT_FALSE(election.other());
    election.hear(address(0xFFFFFFFF), 7, 0, begin);
    EXPECT_EQ(queries(election, 0, 204), "");
}

TEST(Election, AnotherThatSeldomQueriesIsWaitedForByItsOwnInterval) {
    Election election(address(5), times, begin);
    election.hear(address(4), 7, 300, begin);
    EXPECT_EQ(queries(election, 0, 605), "605");
    election.hear(address(4), 7, 1, begin + 605_s);
    EXPECT_EQ(election.other()->until, begin + 605_s + 205_s) << "no less than by ours";
}

TEST(Election, AnotherIsWaitedForNoLongerThanGroupsLast) {
    constexpr uint32_t longest = 31744;  // that a query can say
    Election election(address(5), times, begin);
    election.hear(address(4), 7, longest, begin);
    EXPECT_EQ(queries(election, 0, 710), "700");
    Election hasty(address(5), {.interval = 100_s, .response = 10_s, .ageing = 150_s}, begin);
    hasty.hear(address(4), 7, longest, begin);
    EXPECT_EQ(queries(hasty, 0, 210), "205") << "no less than two intervals of ours";
}

TEST(Election, OrderIsByAllOctets) {
    Election election({.high = 2, .low = 0}, times, begin);
    election.hear({.high = 3, .low = 0}, 7, 0, begin);
    EXPECT_FALSE(election.other());
    election.hear({.high = 1, .low = UINT64_MAX}, 7, 0, begin);
    EXPECT_TRUE(election.other());
}

}  // namespace
}  // namespace sluice::querier

#include "dataplane/egress/scheduler.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sluice {
namespace {

using namespace literals;

constexpr auto strict = Discipline::strict;
constexpr auto wrr = Discipline::wrr;
constexpr auto dwrr = Discipline::dwrr;

// Digits are priorities. Every frame is 1024 octets, so a DWRR visit of weight 1 is two frames.
struct Digits : Scheduler {
    explicit Digits(const SchedulerSettings& settings) { configure(settings); }

    static PrioritySet set(std::string_view digits) {
        PrioritySet priorities = 0;
        for (const char digit : digits) {
            priorities |= only_priority(static_cast<Priority>(digit - '0'));
        }
        return priorities;
    }
    std::string serve(std::string_view eligible, std::size_t turns) {
        std::string schedule;
        while (schedule.size() < turns) {
            const Priority priority =
                next(set(eligible), set(eligible), [](Priority) { return 1024_B; });
            schedule += static_cast<char>('0' + priority);
        }
        return schedule;
    }
};

TEST(StrictPriority, IsTheHighest) {
    EXPECT_EQ(highest(0x01), 0);
    EXPECT_EQ(highest(0x29), 5);
    EXPECT_EQ(highest(0xFF), 7);
}

TEST(StrictPriority, ARoundGoesDownAndAround) {
    EXPECT_EQ(next_in_round(0b1010'1010, 7), 5);
    EXPECT_EQ(next_in_round(0b1010'1010, 5), 3);
    EXPECT_EQ(next_in_round(0b1010'1010, 1), 7);
    EXPECT_EQ(next_in_round(0b1010'1010, 0), 7);
    EXPECT_EQ(next_in_round(0b0000'0100, 2), 2);  // itself, when it is alone
}

TEST(Scheduler, IsStrictByDefault) {
    Digits scheduler({});
    EXPECT_EQ(scheduler.serve("01234567", 3), "777");
    EXPECT_EQ(scheduler.serve("0123", 3), "333");
    EXPECT_EQ(scheduler.serve("0", 3), "000");
    EXPECT_TRUE(scheduler.is_strict(4));
}

TEST(Scheduler, StrictGoesFirstAndTheRestShare) {
    SchedulerSettings settings;
    settings.discipline = {wrr, wrr, wrr, wrr, wrr, wrr, wrr, strict};
    settings.weight = {1, 2, 1, 1, 1, 1, 1, 1};
    Digits scheduler(settings);
    EXPECT_EQ(scheduler.serve("017", 4), "7777");
    EXPECT_EQ(scheduler.serve("01", 6), "110110");
    EXPECT_EQ(scheduler.serve("017", 2), "77");
    EXPECT_EQ(scheduler.serve("01", 3), "110");  // where it left off
    EXPECT_TRUE(scheduler.is_strict(7));
    EXPECT_FALSE(scheduler.is_strict(0));
}

TEST(Scheduler, AStrictPriorityMayBeTheLowest) {
    SchedulerSettings settings;
    settings.discipline = {strict, dwrr, dwrr, dwrr, dwrr, dwrr, dwrr, dwrr};
    Digits scheduler(settings);
    EXPECT_EQ(scheduler.serve("067", 3), "000");
    EXPECT_EQ(scheduler.serve("67", 8), "77667766");
}

TEST(Scheduler, DwrrSharesOctets) {
    SchedulerSettings settings;
    settings.discipline.fill(dwrr);
    settings.weight = {1, 1, 1, 1, 1, 1, 1, 2};
    Digits scheduler(settings);
    EXPECT_EQ(scheduler.serve("57", 12), "777755777755");
}

TEST(Scheduler, NewWeightsHoldFromTheNextRound) {
    SchedulerSettings settings;
    settings.discipline.fill(wrr);
    Digits scheduler(settings);
    EXPECT_EQ(scheduler.serve("12", 4), "2121");
    settings.weight[2] = 3;
    scheduler.configure(settings);
    EXPECT_EQ(scheduler.serve("12", 8), "22212221");
}

// --- traffic classes -----------------------------------------------------------------------------

TEST(TrafficClass, OfItsOwnNumberAPriorityNeedsNoTurns) {
    EXPECT_FALSE(Digits({}).takes_turns());
    SchedulerSettings settings;
    settings.traffic_class = {0, 0, 0, 0, 0, 0, 0, 7};
    const Digits shared(settings);
    EXPECT_TRUE(shared.takes_turns());
    EXPECT_TRUE(shared.is_strict(7));
    EXPECT_FALSE(shared.is_strict(6));
}

// 802.1Q table 8-5: with eight classes priority 1 stands below 0.
TEST(TrafficClass, DecidesAmongStrictPriorities) {
    SchedulerSettings settings;
    settings.traffic_class = {1, 0, 2, 3, 4, 5, 6, 7};
    Digits scheduler(settings);
    EXPECT_EQ(scheduler.serve("01", 3), "000");
    EXPECT_EQ(scheduler.serve("012", 3), "222");
    EXPECT_FALSE(scheduler.takes_turns());
    EXPECT_TRUE(scheduler.is_strict(0));
}

TEST(TrafficClass, PrioritiesOfOneTakeTurns) {
    SchedulerSettings settings;
    settings.traffic_class = {0, 0, 0, 0, 4, 4, 4, 7};
    Digits scheduler(settings);
    EXPECT_EQ(scheduler.serve("0456", 7), "6546546");
    EXPECT_EQ(scheduler.serve("046", 4), "4646");
    EXPECT_EQ(scheduler.serve("0123", 5), "32103");
    EXPECT_EQ(scheduler.serve("037", 2), "77");
}

TEST(TrafficClass, SharesByItsWeightHoweverManyPrioritiesItHas) {
    SchedulerSettings settings;
    settings.traffic_class = {0, 0, 0, 3, 3, 3, 3, 7};
    settings.discipline = {wrr, wrr, wrr, wrr, wrr, wrr, wrr, strict};
    settings.weight = {2, 9, 9, 1, 9, 9, 9, 9};
    Digits scheduler(settings);
    EXPECT_EQ(scheduler.serve("013", 9), "310310310");
    EXPECT_EQ(scheduler.serve("0356", 9), "600500300");
}

TEST(TrafficClass, SharesOctetsAsWell) {
    SchedulerSettings settings;
    settings.traffic_class = {0, 0, 0, 3, 3, 3, 3, 7};
    settings.discipline.fill(dwrr);
    settings.weight = {1, 1, 1, 2, 1, 1, 1, 1};
    Digits scheduler(settings);
    EXPECT_EQ(scheduler.serve("0134", 12), "434310434310");
}

}  // namespace
}  // namespace sluice

#include "dataplane/egress/wrr.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace sluice {
namespace {

// A schedule in letters: priority 7 is a, 6 is b, down to 0 which is h. The highest is first in a
// round, so a round reads in the order of the alphabet.
char letter(Priority priority) { return static_cast<char>('a' + 7 - priority); }
Priority priority_of(char letter) { return static_cast<Priority>(7 - (letter - 'a')); }

struct Letters : Wrr {
    explicit Letters(const std::map<char, uint16_t>& weights) {
        std::array<uint16_t, max_priorities> all{};
        for (const auto& [name, weight] : weights) all[priority_of(name)] = weight;
        configure(all);
    }
    static PrioritySet set(std::string_view names) {
        PrioritySet priorities = 0;
        for (const char name : names) priorities |= only_priority(priority_of(name));
        return priorities;
    }
    // `turns` frames while exactly `names` have frames and may send.
    std::string serve(std::string_view names, std::size_t turns) {
        std::string schedule;
        while (schedule.size() < turns) schedule += letter(next(set(names)));
        return schedule;
    }
};

TEST(Wrr, ServesEachItsWeightARound) {
    EXPECT_EQ(Letters({{'a', 2}, {'b', 1}}).serve("ab", 9), "aabaabaab");
    EXPECT_EQ(Letters({{'a', 1}, {'b', 1}, {'c', 1}}).serve("abc", 7), "abcabca");
    EXPECT_EQ(Letters({{'b', 3}, {'h', 2}}).serve("bh", 10), "bbbhhbbbhh");
}

TEST(Wrr, OneAloneGetsEverything) { EXPECT_EQ(Letters({{'c', 5}}).serve("c", 7), "ccccccc"); }

TEST(Wrr, WhoHasNoFramesIsSkippedAndNobodyWaits) {
    Letters wrr({{'a', 2}, {'b', 2}, {'c', 1}});
    EXPECT_EQ(wrr.serve("abc", 5), "aabbc");
    EXPECT_EQ(wrr.serve("ac", 6), "aacaac");
    EXPECT_EQ(wrr.serve("abc", 5), "aabbc");
}

TEST(Wrr, WhoWasAwayHasSavedNothing) {
    Letters wrr({{'a', 2}, {'b', 2}});
    wrr.serve("a", 1000);
    const std::string after = wrr.serve("ab", 8);
    EXPECT_LE(std::ranges::count(after, 'b'), 4);
    EXPECT_GE(std::ranges::count(after, 'b'), 3);
}

// A peer that pauses and resumes all the time ends each turn after a frame. The unused frames must
// not add up to a burst that keeps other queues waiting.
TEST(Wrr, ManyPausesSaveNothing) {
    Letters wrr({{'a', 1}, {'b', 10}});
    for (int pause = 0; pause < 1000; ++pause) {
        wrr.serve("b", 1);
        wrr.serve("a", 1);
    }
    EXPECT_LE(wrr.serve("ab", 100).find('a'), 10U);
}

TEST(Wrr, AClassWaitsAtMostTheSumOfTheOthersWeights) {
    Letters wrr({{'a', 10}, {'b', 7}, {'c', 3}});
    const std::string schedule = wrr.serve("abc", 1000);
    std::size_t waited = 0;
    for (const char name : schedule) {
        waited = name == 'c' ? 0 : waited + 1;
        ASSERT_LE(waited, 17U);
    }
}

TEST(Wrr, LargeWeightsAreExact) {
    Letters wrr({{'a', 1000}, {'h', 1}});
    const std::string schedule = wrr.serve("ah", 3003);
    EXPECT_EQ(std::ranges::count(schedule, 'h'), 3);
}

}  // namespace
}  // namespace sluice

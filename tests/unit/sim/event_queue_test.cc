#include "tools/sim/network/event_queue.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dataplane/types/random.h"

namespace sluice::sim {
namespace {

// Marks events; none happens to anybody here.
Actor* actor(uint64_t number) { return reinterpret_cast<Actor*>(number); }
uint64_t number_of(const Event& event) { return reinterpret_cast<uint64_t>(event.who); }

// Takes all there is: the times, in order.
std::string times_of(EventQueue& queue) {
    std::string text;
    for (const Event* next = queue.first(); next != nullptr; next = queue.first()) {
        text += std::to_string(next->at.count()) + " ";
        queue.pop();
    }
    return text;
}

TEST(EventQueue, WithoutEventsHasNoFirst) {
    EventQueue queue;
    EXPECT_EQ(queue.first(), nullptr);
}

TEST(EventQueue, OrdersByTimeHoweverFarAhead) {
    EventQueue queue;
    const std::vector<int64_t> times = {5'000'000'000'000, 40'000'000, 7, 9'000, 33'554'432, 8};
    for (const int64_t at : times) {
        queue.push(Picos(at), nullptr, nullptr);
    }
    EXPECT_EQ(times_of(queue), "7 8 9000 33554432 40000000 5000000000000 ");
}

TEST(EventQueue, AtOneMomentTheFirstAskedForIsFirst) {
    EventQueue queue;
    uint64_t number = 0;
    for (const int64_t at : {100'000'000, 5, 100'000'000, 5, 9'001, 9'000, 9'001, 9'000, 8'999}) {
        queue.push(Picos(at), actor(number++), nullptr);
    }
    std::string numbers;
    for (; queue.first() != nullptr; queue.pop()) {
        numbers += std::to_string(number_of(*queue.first()));
    }
    EXPECT_EQ(numbers, "138574602");
}

// After a look ahead an earlier event may still be added.
TEST(EventQueue, SomethingSoonerThanTheFirstGoesBeforeIt) {
    EventQueue queue;
    queue.push(Picos(50'000'000'000), nullptr, nullptr);
    EXPECT_EQ(queue.first()->at, Picos(50'000'000'000));
    queue.push(Picos(20'000), nullptr, nullptr);
    queue.push(Picos(49'000'000'000), nullptr, nullptr);
    queue.push(Picos(10'000), nullptr, nullptr);
    EXPECT_EQ(times_of(queue), "10000 20000 49000000000 50000000000 ");
}

// Compares it with a sorted set, used as in a simulation: from many events a day to years without
// any.
TEST(EventQueue, IsAsGoodAsASortedSet) {
    Random random(3);
    for (int round = 0; round < 40; ++round) {
        EventQueue queue;
        std::set<std::pair<int64_t, uint64_t>> sorted;
        const auto reach = static_cast<unsigned>(round);  // 2 to the power of it, at the most
        uint64_t number = 0;
        int64_t now = 0;
        for (int n = 0; n < 3000; ++n) {
            if (sorted.empty() || random.next() % 100 < 52) {
                const uint64_t ahead =
                    (uint64_t{random.next()} << 8) >> (random.next() % (reach + 1));
                const int64_t at = now + static_cast<int64_t>(ahead >> (39 - reach));
                sorted.emplace(at, number);
                queue.push(Picos(at), actor(number++), nullptr);
            } else {
                ASSERT_NE(queue.first(), nullptr);
                ASSERT_EQ(queue.first()->at, Picos(sorted.begin()->first));
                ASSERT_EQ(number_of(*queue.first()), sorted.begin()->second);
                now = sorted.begin()->first;
                queue.pop();
                sorted.erase(sorted.begin());
            }
        }
    }
}

}  // namespace
}  // namespace sluice::sim

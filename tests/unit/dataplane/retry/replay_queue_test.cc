#include "dataplane/retry/replay_queue.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice {
namespace {

RetrySequence number(uint32_t number) { return RetrySequence(number); }

std::vector<uint32_t> emptied(ReplayQueue& queue, uint8_t traffic_class,
                              ReplayQueue::Classes held = 0) {
    std::vector<uint32_t> numbers;
    while (const auto next = queue.next(held)) {
        numbers.push_back(next->number());
        queue.remove(traffic_class, *next);
    }
    return numbers;
}

TEST(ReplayQueue, TheOldestGoesFirst) {
    ReplayQueue queue(1000);
    for (const uint32_t n : {700U, 3U, 64U, 65U, 5U}) queue.add(2, number(n));
    EXPECT_EQ(queue.count(), 5U);
    EXPECT_TRUE(queue.has(2, number(64)));
    queue.remove(2, number(64));
    EXPECT_EQ(emptied(queue, 2), (std::vector<uint32_t>{3, 5, 65, 700}));
    EXPECT_EQ(queue.next(0), std::nullopt);
}

TEST(ReplayQueue, NumbersGoRound) {
    ReplayQueue queue(100);
    const uint32_t last = RetrySequence::count - 1;
    for (const uint32_t n : {2U, last, last - 40}) queue.add(0, number(n));
    EXPECT_EQ(emptied(queue, 0), (std::vector<uint32_t>{last - 40, last, 2}));
}

// Both numbers share a word of the traffic class's bits, one at its end and one at its beginning.
TEST(ReplayQueue, TheNewestMayStandBeforeTheOldest) {
    ReplayQueue queue(64);
    queue.add(0, number(60));
    queue.add(0, number(60 + 63));
    EXPECT_EQ(emptied(queue, 0), (std::vector<uint32_t>{60, 123}));
}

TEST(ReplayQueue, AClassThatIsHeldHoldsNoOther) {
    ReplayQueue queue(100);
    queue.add(3, number(1));
    queue.add(4, number(2));
    queue.add(ReplayQueue::never_paused, number(3));
    EXPECT_EQ(queue.waiting(), 0x118);
    EXPECT_EQ(queue.next(0), number(1));
    EXPECT_EQ(queue.next(0x08), number(2));
    EXPECT_EQ(queue.next(0x18), number(3));
    queue.clear();
    EXPECT_EQ(queue.waiting(), 0);
    EXPECT_FALSE(queue.has(3, number(1)));
}

}  // namespace
}  // namespace sluice

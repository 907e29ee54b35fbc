#include "dataplane/buffer/voq.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

namespace sluice {
namespace {

using namespace literals;

// A queue whose frames are numbers, each charged one cell of 256.
class Numbers {
  public:
    explicit Numbers(FramePool& pool) : pool_(pool) {}

    void push(uint16_t first, std::size_t count = 1) {
        for (std::size_t n = 0; n < count; ++n) {
            Frame frame{};
            frame.length = static_cast<uint16_t>(first + n);
            EXPECT_TRUE(voq.push(frame, Account::voq_shared, 256_B, pool_));
        }
    }
    std::vector<uint16_t> pop(std::size_t count) {
        std::vector<uint16_t> numbers;
        while (numbers.size() < count && !voq.empty()) {
            const auto front = voq.front(pool_);
            const std::size_t taken = std::min(front.size(), count - numbers.size());
            for (const Frame& frame : front.first(taken)) numbers.push_back(frame.length);
            voq.pop(taken, 256_B * static_cast<int64_t>(taken), pool_);
        }
        return numbers;
    }

    Voq voq;

  private:
    FramePool& pool_;
};

std::vector<uint16_t> range(uint16_t first, std::size_t count) {
    std::vector<uint16_t> numbers;
    for (std::size_t n = 0; n < count; ++n) numbers.push_back(static_cast<uint16_t>(first + n));
    return numbers;
}

TEST(Voq, IsOneCacheLine) { EXPECT_EQ(sizeof(Voq), 64U); }

TEST(Voq, IsFirstInFirstOutAcrossChunks) {
    FramePool pool(16);
    Numbers queue(pool);
    queue.push(1, 100);
    EXPECT_EQ(queue.pop(10), range(1, 10));
    queue.push(101, 50);
    EXPECT_EQ(queue.pop(1000), range(11, 140));
    EXPECT_TRUE(queue.voq.empty());
}

TEST(Voq, AnEmptyOneHoldsNoChunk) {
    FramePool pool(1);  // so the second queue lives on what the first gives back
    Numbers a(pool);
    Numbers b(pool);
    for (uint16_t round = 0; round < 50; ++round) {
        a.push(round, 21);
        EXPECT_EQ(a.pop(21), range(round, 21));
        b.push(round);
        EXPECT_EQ(b.pop(1), range(round, 1));
    }
}

TEST(Voq, GivesChunksBackAsItDrains) {
    FramePool pool(3);
    Numbers a(pool);
    a.push(0, 63);
    EXPECT_EQ(a.pop(21), range(0, 21));
    a.push(63, 21);  // in the chunk that was given back
    EXPECT_EQ(a.pop(63), range(21, 63));
    EXPECT_TRUE(a.voq.empty());
}

TEST(Voq, RefusesWhatThePoolHasNoChunkFor) {
    FramePool pool(1);
    Numbers a(pool);
    a.push(0, 21);
    EXPECT_FALSE(a.voq.push(Frame{}, Account::voq_shared, 256_B, pool));
    Voq b;
    EXPECT_FALSE(b.push(Frame{}, Account::voq_shared, 256_B, pool));
    EXPECT_TRUE(b.empty());
    EXPECT_EQ(b.enqueued(), 0U);
    EXPECT_EQ(a.voq.waiting(), 21U);
    EXPECT_EQ(a.pop(30), range(0, 21));
    EXPECT_TRUE(b.push(Frame{}, Account::voq_shared, 256_B, pool));
}

TEST(Voq, FrontIsWhatLiesSideBySide) {
    FramePool pool(4);
    Numbers queue(pool);
    EXPECT_TRUE(queue.voq.front(pool).empty());
    queue.push(0, 30);
    EXPECT_EQ(queue.voq.front(pool).size(), 21U);
    queue.pop(5);
    EXPECT_EQ(queue.voq.front(pool).size(), 16U);
    queue.pop(16);
    EXPECT_EQ(queue.voq.front(pool).size(), 9U);
}

TEST(Voq, KeepsTheAccountOfEachFrame) {
    FramePool pool(4);
    Voq voq;
    const std::array accounts = {Account::voq_reserved, Account::voq_shared, Account::group};
    for (const Account account : accounts) EXPECT_TRUE(voq.push(Frame{}, account, 256_B, pool));
    const auto front = voq.front(pool);
    ASSERT_EQ(front.size(), 3U);
    for (std::size_t n = 0; n < 3; ++n) EXPECT_EQ(front[n].account, accounts[n]);
}

TEST(Voq, CountsWhatEnteredLeftAndWaits) {
    FramePool pool(16);
    Numbers queue(pool);
    queue.push(0, 100);
    queue.pop(30);
    queue.voq.flush(12, 256_B * 12, pool);
    queue.voq.count_dropped();
    EXPECT_EQ(queue.voq.enqueued(), 100U);
    EXPECT_EQ(queue.voq.dequeued(), 30U);
    EXPECT_EQ(queue.voq.flushed(), 12U);
    EXPECT_EQ(queue.voq.dropped(), 1U);
    EXPECT_EQ(queue.voq.waiting(), 58U);
    EXPECT_EQ(queue.voq.bytes(), 256_B * 58);
    EXPECT_EQ(queue.voq.max_bytes(), 25'600U);
}

// Three queues on one pool against three deques, for long: nothing is lost, mixed up or leaked.
TEST(Voq, BehavesLikeADeque) {
    FramePool pool(FramePool::chunks_for(600, 3));
    std::array<Numbers, 3> queues = {Numbers(pool), Numbers(pool), Numbers(pool)};
    std::array<std::deque<uint16_t>, 3> expected;
    std::minstd_rand random(1);
    uint16_t next = 0;
    for (int step = 0; step < 20'000; ++step) {
        const std::size_t which = random() % 3;
        const std::size_t count = random() % 40;
        if (random() % 2 == 0 && expected[which].size() + count <= 200) {
            queues[which].push(next, count);
            for (std::size_t n = 0; n < count; ++n) expected[which].push_back(next++);
        } else {
            for (const uint16_t number : queues[which].pop(count)) {
                ASSERT_EQ(number, expected[which].front());
                expected[which].pop_front();
            }
        }
        ASSERT_EQ(queues[which].voq.waiting(), expected[which].size());
        ASSERT_EQ(queues[which].voq.empty(), expected[which].empty());
    }
}

}  // namespace
}  // namespace sluice

#include "dataplane/buffer/voq.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

namespace sluice {
namespace {

using namespace literals;

constexpr Bytes no_limit{INT64_MAX};

// A queue whose frames are numbers, each charged one cell of 256. The number is also the length.
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
    std::vector<uint16_t> take(std::size_t count, Bytes quantum = no_limit) {
        std::vector<Frame> frames(count);
        frames.resize(voq.take(frames, quantum, pool_));
        std::vector<uint16_t> numbers;
        for (const Frame& frame : frames) numbers.push_back(frame.length);
        voq.discharge(256_B * static_cast<int64_t>(frames.size()));
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
    EXPECT_EQ(queue.take(10), range(1, 10));
    queue.push(101, 50);
    EXPECT_EQ(queue.take(1000), range(11, 140));
    EXPECT_TRUE(queue.voq.empty());
}

TEST(Voq, OneFrameNeedsNoChunk) {
    FramePool none(0);
    Numbers queue(none);
    for (uint16_t round = 0; round < 50; ++round) {
        queue.push(round);
        EXPECT_FALSE(queue.voq.push(Frame{}, Account::voq_shared, 256_B, none));
        EXPECT_EQ(queue.take(2), range(round, 1));
    }
}

TEST(Voq, AnEmptyOneHoldsNoChunk) {
    FramePool pool(1);  // so the second queue uses what the first gives back
    Numbers a(pool);
    Numbers b(pool);
    for (uint16_t round = 0; round < 50; ++round) {
        a.push(round, 22);
        EXPECT_EQ(a.take(22), range(round, 22));
        b.push(round, 2);
        EXPECT_EQ(b.take(2), range(round, 2));
    }
}

TEST(Voq, GivesChunksBackAsItDrains) {
    FramePool pool(3);
    Numbers a(pool);
    a.push(0, 64);
    EXPECT_EQ(a.take(22), range(0, 22));
    a.push(64, 21);  // in the chunk that was given back
    EXPECT_EQ(a.take(63), range(22, 63));
    EXPECT_TRUE(a.voq.empty());
}

TEST(Voq, RefusesWhatThePoolHasNoChunkFor) {
    FramePool pool(1);
    Numbers a(pool);
    a.push(0, 22);
    EXPECT_FALSE(a.voq.push(Frame{}, Account::voq_shared, 256_B, pool));
    EXPECT_EQ(a.voq.enqueued(), 22U);
    EXPECT_EQ(a.voq.waiting(), 22U);
    EXPECT_EQ(a.voq.bytes(), 256_B * 22);
    EXPECT_EQ(a.take(30), range(0, 22));
    a.push(0, 22);
}

// A later frame does not overtake frames that still wait behind the first.
TEST(Voq, StaysInOrderAfterItsFirstLeft) {
    FramePool pool(4);
    Numbers queue(pool);
    queue.push(0, 3);
    EXPECT_EQ(queue.take(1), range(0, 1));
    queue.push(3);
    EXPECT_EQ(queue.take(9), range(1, 3));
}

TEST(Voq, TakesUpToAQuantumAndAtLeastAFrame) {
    FramePool pool(4);
    Numbers queue(pool);
    queue.push(100, 40);
    EXPECT_EQ(queue.take(40, 1_B), range(100, 1));
    EXPECT_EQ(queue.take(40, 101_B), range(101, 1));
    EXPECT_EQ(queue.take(40, 200_B), range(102, 2));
    EXPECT_EQ(queue.take(2, 4000_B), range(104, 2));
    EXPECT_TRUE(queue.take(0).empty());
    EXPECT_EQ(queue.take(40), range(106, 34));
}

// Frames of 200 octets and a few more, each charged 256: an odd one, then some in chunks.
TEST(Voq, KnowsWhetherOneTakeLeavesNone) {
    FramePool pool(16);
    for (const std::size_t count : std::to_array<std::size_t>({1, 2, 21, 22, 23, 60})) {
        Numbers queue(pool);
        queue.push(1, 3);
        queue.push(200, count);
        queue.take(3);
        Bytes octets;
        for (const uint16_t length : range(200, count)) octets += Bytes(length);
        EXPECT_TRUE(queue.voq.is_within(count, octets, pool)) << count;
        EXPECT_FALSE(queue.voq.is_within(count, octets - 1_B, pool)) << count;
        EXPECT_FALSE(queue.voq.is_within(count - 1, octets, pool)) << count;
        EXPECT_EQ(queue.take(count, octets).size(), count);
        EXPECT_TRUE(queue.voq.is_within(0, 0_B, pool));
    }
}

TEST(Voq, KeepsTheAccountOfEachFrame) {
    FramePool pool(4);
    Voq voq;
    const std::array accounts = {Account::voq_reserved, Account::voq_shared, Account::group};
    for (const Account account : accounts) EXPECT_TRUE(voq.push(Frame{}, account, 256_B, pool));
    std::array<Frame, 4> taken;
    ASSERT_EQ(voq.take(taken, no_limit, pool), 3U);
    for (std::size_t n = 0; n < 3; ++n) EXPECT_EQ(taken[n].account, accounts[n]);
}

TEST(Voq, CountsWhatEnteredLeftAndWaits) {
    FramePool pool(16);
    Numbers queue(pool);
    queue.push(0, 100);
    queue.take(30);
    EXPECT_EQ(queue.voq.enqueued(), 100U);
    EXPECT_EQ(queue.voq.left(), 30U);
    EXPECT_EQ(queue.voq.waiting(), 70U);
    EXPECT_EQ(queue.voq.bytes(), 256_B * 70);
    EXPECT_EQ(queue.voq.max_bytes(), 25'600U);
    queue.push(0, 40);
    EXPECT_EQ(queue.voq.max_bytes(), 28'160U);
}

TEST(Voq, TheMostItHeldStopsAt4GiB) {
    FramePool pool(1);
    Voq voq;
    const auto huge = 4_KiB * 1024 * 1024;
    EXPECT_TRUE(voq.push(Frame{}, Account::voq_shared, huge, pool));
    EXPECT_TRUE(voq.push(Frame{}, Account::voq_shared, huge, pool));
    EXPECT_EQ(voq.bytes(), huge * 2);
    EXPECT_EQ(voq.max_bytes(), UINT32_MAX);
}

// Three queues on one pool are compared with three deques for long: no frame is lost, mixed up or
// leaked. Numbers divisible by three are copies.
TEST(Voq, GivesCopiesWhereverTheyStand) {
    std::minstd_rand random(2);
    for (std::size_t count = 0; count < 150; ++count) {
        FramePool pool(FramePool::chunks_for(150, 1));
        Numbers numbers(pool);
        std::vector<uint16_t> copies;
        std::vector<uint16_t> others;
        const std::size_t left = random() % 30;  // so that it begins anywhere in a chunk
        numbers.push(1, left);
        EXPECT_EQ(numbers.take(left).size(), left);
        for (std::size_t n = 0; n < count; ++n) {
            const auto number = static_cast<uint16_t>(1 + random() % 1000);
            const bool is_copy = number % 3 == 0;
            Frame frame{};
            frame.length = number;
            if (is_copy) frame.network_offset = shared_octets;
            ASSERT_TRUE(numbers.voq.push(frame, Account::voq_shared, 256_B, pool));
            (is_copy ? copies : others).push_back(number);
        }
        for (std::size_t room : {std::size_t{0}, random() % 20, std::size_t{200}}) {
            std::vector<Frame> out(room);
            const std::size_t given = numbers.voq.take_copies(out, pool);
            ASSERT_EQ(given, std::min(room, copies.size()));
            for (std::size_t n = 0; n < given; ++n) EXPECT_EQ(out[n].length, copies[n]);
            copies.erase(copies.begin(), copies.begin() + static_cast<std::ptrdiff_t>(given));
            EXPECT_EQ(numbers.voq.waiting(), copies.size() + others.size());
            EXPECT_EQ(pool.waiting(), copies.size() + others.size());
        }
        EXPECT_EQ(numbers.voq.empty(), others.empty());
        numbers.push(2000, 40);
        const auto behind = range(2000, 40);
        others.insert(others.end(), behind.begin(), behind.end());
        EXPECT_EQ(numbers.take(1000), others);
        EXPECT_TRUE(numbers.voq.empty());
        // Each chunk is back.
        numbers.push(1, FramePool::frames_a_chunk * 7);
    }
}

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
            for (const uint16_t number : queues[which].take(count)) {
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

#include "dataplane/worker_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>

namespace sluice {
namespace {

TEST(WorkerQueue, KeepsTheOrder) {
    WorkerQueue<char, 4> queue;
    std::string taken;
    for (const char item : {'a', 'b', 'c'}) EXPECT_TRUE(queue.push(item));
    queue.take([&](char item) { taken += item; });
    for (const char item : {'d', 'e'}) EXPECT_TRUE(queue.push(item));
    queue.take([&](char item) { taken += item; });
    queue.take([&](char item) { taken += item; });
    EXPECT_EQ(taken, "abcde");
}

TEST(WorkerQueue, RefusesWhatFindsNoPlace) {
    WorkerQueue<char, 2> queue;
    std::string taken;
    EXPECT_TRUE(queue.push('a'));
    EXPECT_TRUE(queue.push('b'));
    EXPECT_FALSE(queue.push('c'));
    queue.take([&](char item) { taken += item; });
    EXPECT_TRUE(queue.push('d'));
    queue.take([&](char item) { taken += item; });
    EXPECT_EQ(taken, "abd");
}

TEST(WorkerQueue, StagesManyAtOnceAroundItsEnd) {
    WorkerQueue<char, 4> queue;
    std::string taken;
    const auto take = [&] { queue.take([&](char item) { taken += item; }); };
    queue.stage(std::to_array({'a', 'b', 'c'}));
    EXPECT_FALSE(queue.seems_to_have_room(2));
    take();
    EXPECT_EQ(taken, "");
    queue.publish();
    take();
    EXPECT_FALSE(queue.seems_to_have_room(2)) << "nobody looked";
    EXPECT_TRUE(queue.has_room(4));
    queue.stage(std::to_array({'d', 'e', 'f', 'g'}));
    queue.publish();
    take();
    EXPECT_EQ(taken, "abcdefg");
}

TEST(WorkerQueue, ForgetsEachThatWasTakenOnce) {
    WorkerQueue<char, 4> queue;
    std::string forgotten;
    const auto forget = [&] { queue.forget_taken([&](char item) { forgotten += item; }); };
    for (const char item : {'a', 'b', 'c'}) EXPECT_TRUE(queue.push(item));
    forget();
    EXPECT_EQ(forgotten, "");
    queue.take([](char) {});
    EXPECT_TRUE(queue.push('d'));
    forget();
    forget();
    EXPECT_EQ(forgotten, "abc");
    EXPECT_EQ(queue.not_taken(), 1U);
}

TEST(WorkerQueue, WhatIsTakenCountsAsTakenAfterwards) {
    WorkerQueue<char, 4> queue;
    for (const char item : {'a', 'b', 'c'}) EXPECT_TRUE(queue.push(item));
    bool was_called = false;
    const auto then = [&] {
        was_called = true;
        EXPECT_EQ(queue.not_taken(), 3U);
    };
    queue.take([](char) {}, then);
    EXPECT_TRUE(was_called);
    EXPECT_EQ(queue.not_taken(), 0U);
}

TEST(WorkerQueue, LosesNothingBetweenThreads) {
    WorkerQueue<uint64_t> queue;
    constexpr uint64_t items = 100'000;
    std::thread teller([&] {
        for (uint64_t item = 1; item <= items;) {
            if (queue.push(item)) ++item;
        }
    });
    uint64_t last = 0;
    while (last < items) {
        queue.take([&](uint64_t item) {
            EXPECT_EQ(item, last + 1);
            last = item;
        });
    }
    teller.join();
}

}  // namespace
}  // namespace sluice

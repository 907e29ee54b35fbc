#include "dataplane/threads/single_producer_ring.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>

namespace sluice {
namespace {

TEST(SingleProducerRing, KeepsTheOrder) {
    SingleProducerRing<char, 4> ring;
    std::string taken;
    for (const char item : {'a', 'b', 'c'}) EXPECT_TRUE(ring.push(item));
    ring.take([&](char item) { taken += item; });
    for (const char item : {'d', 'e'}) EXPECT_TRUE(ring.push(item));
    ring.take([&](char item) { taken += item; });
    ring.take([&](char item) { taken += item; });
    EXPECT_EQ(taken, "abcde");
}

TEST(SingleProducerRing, RefusesWhatFindsNoPlace) {
    SingleProducerRing<char, 2> ring;
    std::string taken;
    EXPECT_TRUE(ring.push('a'));
    EXPECT_TRUE(ring.push('b'));
    EXPECT_FALSE(ring.push('c'));
    ring.take([&](char item) { taken += item; });
    EXPECT_TRUE(ring.push('d'));
    ring.take([&](char item) { taken += item; });
    EXPECT_EQ(taken, "abd");
}

TEST(SingleProducerRing, StagesManyAtOnceAroundItsEnd) {
    SingleProducerRing<char, 4> ring;
    std::string taken;
    const auto take = [&] { ring.take([&](char item) { taken += item; }); };
    ring.stage(std::to_array({'a', 'b', 'c'}));
    EXPECT_FALSE(ring.seems_to_have_room(2));
    take();
    EXPECT_EQ(taken, "");
    ring.publish();
    take();
    EXPECT_FALSE(ring.seems_to_have_room(2)) << "nobody looked";
    EXPECT_TRUE(ring.has_room(4));
    ring.stage(std::to_array({'d', 'e', 'f', 'g'}));
    ring.publish();
    take();
    EXPECT_EQ(taken, "abcdefg");
}

TEST(SingleProducerRing, ForgetsEachThatWasTakenOnce) {
    SingleProducerRing<char, 4> ring;
    std::string forgotten;
    const auto forget = [&] { ring.forget_taken([&](char item) { forgotten += item; }); };
    for (const char item : {'a', 'b', 'c'}) EXPECT_TRUE(ring.push(item));
    forget();
    EXPECT_EQ(forgotten, "");
    ring.take([](char) {});
    EXPECT_TRUE(ring.push('d'));
    forget();
    forget();
    EXPECT_EQ(forgotten, "abc");
    EXPECT_EQ(ring.not_taken(), 1U);
}

TEST(SingleProducerRing, WhatIsTakenCountsAsTakenAfterwards) {
    SingleProducerRing<char, 4> ring;
    for (const char item : {'a', 'b', 'c'}) EXPECT_TRUE(ring.push(item));
    bool was_called = false;
    const auto then = [&] {
        was_called = true;
        EXPECT_EQ(ring.not_taken(), 3U);
    };
    ring.take([](char) {}, then);
    EXPECT_TRUE(was_called);
    EXPECT_EQ(ring.not_taken(), 0U);
}

TEST(SingleProducerRing, KeepsTheOldestUntilItIsPopped) {
    SingleProducerRing<char, 2> ring;
    const auto push = [&](char item) {
        return ring.push_in_place([item](char& place) { place = item; });
    };
    EXPECT_EQ(ring.front(), nullptr);
    EXPECT_TRUE(push('a'));
    EXPECT_TRUE(push('b'));
    EXPECT_FALSE(push('c')) << "the place of a";
    EXPECT_EQ(*ring.front(), 'a');
    ring.pop();
    EXPECT_TRUE(push('c'));
    EXPECT_EQ(*ring.front(), 'b');
    ring.pop();
    EXPECT_EQ(*ring.front(), 'c');
    ring.pop();
    EXPECT_EQ(ring.front(), nullptr);
}

TEST(SingleProducerRing, LosesNothingBetweenThreads) {
    SingleProducerRing<uint64_t> ring;
    constexpr uint64_t items = 100'000;
    std::thread teller([&] {
        for (uint64_t item = 1; item <= items;) {
            if (ring.push(item)) ++item;
        }
    });
    uint64_t last = 0;
    while (last < items) {
        ring.take([&](uint64_t item) {
            EXPECT_EQ(item, last + 1);
            last = item;
        });
    }
    teller.join();
}

}  // namespace
}  // namespace sluice

#include "dataplane/retry/replay_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "dataplane/types/random.h"

namespace sluice {
namespace {

bool keep_in(ReplayBuffer& buffer, std::size_t length, uint8_t filling) {
    const auto room = buffer.room(length);
    if (room.empty()) return false;
    std::ranges::fill(room, filling);
    buffer.keep(length, 0);
    return true;
}

TEST(ReplayBuffer, HoldsNoMoreThanItsSize) {
    ReplayBuffer buffer(Bytes(100), Bytes(10));
    EXPECT_TRUE(buffer.room(101).empty());
    EXPECT_TRUE(keep_in(buffer, 60, 1));
    EXPECT_TRUE(keep_in(buffer, 40, 2));
    EXPECT_TRUE(buffer.room(1).empty());
    EXPECT_EQ(buffer.used(), Bytes(100));
    buffer.release(1);
    EXPECT_TRUE(keep_in(buffer, 60, 3)) << "from the start again";
    EXPECT_TRUE(buffer.room(1).empty());
    EXPECT_EQ(buffer.frame(0).front(), 2);
    EXPECT_EQ(buffer.frame(1).back(), 3);
}

TEST(ReplayBuffer, HoldsNoMoreFramesThanItHasEntriesFor) {
    ReplayBuffer buffer(Bytes(100), Bytes(50));
    EXPECT_TRUE(keep_in(buffer, 1, 1));
    EXPECT_TRUE(keep_in(buffer, 1, 2));
    EXPECT_FALSE(buffer.has_room(1));
}

TEST(ReplayBuffer, RemembersTheMostUntilItIsCleared) {
    ReplayBuffer buffer(Bytes(100), Bytes(10));
    keep_in(buffer, 60, 1);
    buffer.release(1);
    EXPECT_EQ(buffer.most_used(), Bytes(60));
    buffer.clear_watermark();
    EXPECT_EQ(buffer.most_used(), Bytes(0));
}

TEST(ReplayBuffer, KeepsEachFrameAsItWasWhateverIsReleased) {
    ReplayBuffer buffer(Bytes(1000), Bytes(14));
    std::deque<std::pair<std::size_t, uint8_t>> kept;
    Random random(7);
    for (int step = 0; step < 3000; ++step) {
        const std::size_t length = 14 + random.next() % 300;
        const auto filling = static_cast<uint8_t>(step);
        if (random.next() % 3 != 0) {
            ASSERT_EQ(buffer.has_room(length), !buffer.room(length).empty());
            if (keep_in(buffer, length, filling)) kept.emplace_back(length, filling);
        } else {
            const std::size_t frames = random.next() % (kept.size() + 1);
            buffer.release(frames);
            kept.erase(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(frames));
        }
        ASSERT_EQ(buffer.count(), kept.size());
        for (std::size_t n = 0; n < kept.size(); ++n) {
            const auto [octets, expected] = kept[n];
            ASSERT_EQ(buffer.frame(n).size(), octets);
            ASSERT_TRUE(std::ranges::all_of(buffer.frame(n),
                                            [&](uint8_t octet) { return octet == expected; }));
        }
    }
    buffer.release(kept.size());
    EXPECT_EQ(buffer.used(), Bytes(0));
}

}  // namespace
}  // namespace sluice

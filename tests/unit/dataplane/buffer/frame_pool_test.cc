#include "dataplane/buffer/frame_pool.h"

#include <gtest/gtest.h>

#include <set>

namespace sluice {
namespace {

TEST(FramePool, AChunkIsEightCacheLinesOfTwentyOneFrames) {
    EXPECT_EQ(sizeof(FramePool::Chunk), 512U);
    EXPECT_EQ(FramePool::frames_a_chunk, 21U);
    FramePool pool(4);
    const uint32_t chunk = pool.take();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(&pool[chunk]) % 64, 0U);
}

TEST(FramePool, GivesOutEachChunkOnce) {
    FramePool pool(100);
    std::set<uint32_t> taken;
    for (int n = 0; n < 100; ++n) EXPECT_TRUE(taken.insert(pool.take()).second);
}

TEST(FramePool, TheLastGivenBackIsTheNextTaken) {
    FramePool pool(8);
    const uint32_t a = pool.take();
    const uint32_t b = pool.take();
    const uint32_t c = pool.take();
    pool.give(b);
    pool.give(a);
    EXPECT_EQ(pool.take(), a);
    EXPECT_EQ(pool.take(), b);
    EXPECT_NE(pool.take(), c);
}

TEST(FramePool, AChunkHoldsWhatWasWritten) {
    FramePool pool(2);
    const uint32_t a = pool.take();
    const uint32_t b = pool.take();
    for (std::size_t n = 0; n < FramePool::frames_a_chunk; ++n) {
        pool[a].frames[n].length = static_cast<uint16_t>(n);
        pool[b].frames[n].length = static_cast<uint16_t>(100 + n);
    }
    for (std::size_t n = 0; n < FramePool::frames_a_chunk; ++n) {
        EXPECT_EQ(pool[a].frames[n].length, n);
        EXPECT_EQ(pool[b].frames[n].length, 100 + n);
    }
}

TEST(FramePool, CountsAChunkBegunAtBothEndsOfEachQueue) {
    EXPECT_GE(FramePool::chunks_for(0, 8), 16U);
    EXPECT_GE(FramePool::chunks_for(2100, 0), 100U);
    EXPECT_GE(FramePool::chunks_for(2101, 0), 101U);
}

TEST(FramePool, SaysWhenNoneIsLeft) {
    FramePool pool(2);
    const uint32_t a = pool.take();
    EXPECT_NE(pool.take(), FramePool::no_chunk);
    EXPECT_EQ(pool.take(), FramePool::no_chunk);
    pool.give(a);
    EXPECT_EQ(pool.take(), a);
    EXPECT_EQ(pool.take(), FramePool::no_chunk);
}

}  // namespace
}  // namespace sluice

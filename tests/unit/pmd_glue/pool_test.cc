#include "pmd_glue/pool.h"

#include <gtest/gtest.h>

#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {
namespace {

TEST(Pool, GivesEveryBufferOnce) {
    const auto pool = make_pool(BufferLayout::packed, 1000);
    std::vector<Frame> all;
    std::array<Frame, 50> burst;
    while (pool->allocate(burst, 60)) all.insert(all.end(), burst.begin(), burst.end());
    EXPECT_EQ(all.size(), 1000U);
    EXPECT_EQ(pool->available(), 0U);
    free_frames(*pool, all);
    EXPECT_EQ(pool->available(), 1000U);
}

TEST(Pool, AFrameHasItsLengthAndRoom) {
    const auto pool = make_pool();
    EXPECT_GE(pool->room(), Bytes(1522));
    std::array<Frame, 1> frame;
    ASSERT_TRUE(pool->allocate(frame, 60));
    EXPECT_EQ(frame[0].length, 60);
    EXPECT_NE(frame[0].data, nullptr);
    free_frames(*pool, frame);
}

TEST(Pool, ASharedBufferGoesBackWithItsLastReference) {
    const auto pool = make_pool();
    const std::size_t before = pool->available();
    const auto frames = make_frames(*pool, 1);
    Released released;
    released.share(frames[0].handle, 2);
    pool->apply(released);
    EXPECT_EQ(released.shared_count, 0U);
    for (int reference = 0; reference < 3; ++reference) {
        EXPECT_EQ(pool->available(), before - 1);
        released.free(frames[0].handle);
        pool->apply(released);
    }
    EXPECT_EQ(pool->available(), before);
}

TEST(Pool, WhatIsSharedAndFreedAtOnceStays) {
    const auto pool = make_pool();
    const std::size_t before = pool->available();
    const auto frames = make_frames(*pool, 1);
    Released released;
    released.free(frames[0].handle);
    released.share(frames[0].handle, 1);
    pool->apply(released);
    EXPECT_EQ(pool->available(), before - 1);
    free_frames(*pool, frames);
    EXPECT_EQ(pool->available(), before);
}

// create() compares every buffer with the span that the af_xdp driver tells the kernel.
TEST(Pool, WithPagesEveryBufferIsInsideTheSpan) {
    for (const std::size_t buffers : {1000U, 4096U, 10'001U}) {
        const auto pool = make_pool(BufferLayout::page, buffers);
        ASSERT_NE(pool, nullptr);
        EXPECT_EQ(pool->available(), buffers);
        EXPECT_GE(pool->room(), Bytes(3520));
    }
}

TEST(Pool, SaysWhatWouldFit) {
    const auto pool =
        Pool::create({.buffers = 64, .max_frame = Bytes(9022), .layout = BufferLayout::page});
    ASSERT_FALSE(pool.has_value());
    EXPECT_NE(pool.error().remedy.find("3520"), std::string::npos);
    const auto vast = Pool::create({.buffers = 100'000'000, .max_frame = Bytes(1522)});
    ASSERT_FALSE(vast.has_value());
    EXPECT_NE(vast.error().remedy.find("nr_hugepages"), std::string::npos);
}

TEST(Pool, EveryLayoutHoldsLargeFrames) {
    for (const BufferLayout layout : {BufferLayout::packed, BufferLayout::hardware}) {
        const auto pool =
            Pool::create({.buffers = 256, .max_frame = Bytes(9022), .layout = layout});
        ASSERT_TRUE(pool.has_value()) << pool.error().text();
        EXPECT_GE((*pool)->room(), Bytes(9022));
    }
}

}  // namespace
}  // namespace sluice::pmd

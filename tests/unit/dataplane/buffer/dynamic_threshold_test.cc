#include "dataplane/buffer/dynamic_threshold.h"

#include <gtest/gtest.h>

#include <array>

namespace sluice {
namespace {

using namespace literals;

constexpr uint32_t one = 128;  // alpha of 1

TEST(DynamicThreshold, IsAlphaTimesWhatIsFree) {
    EXPECT_EQ(dynamic_threshold(one, 1_MiB), 1_MiB);
    EXPECT_EQ(dynamic_threshold(one / 8, 1_MiB), 128_KiB);
    EXPECT_EQ(dynamic_threshold(8 * one, 1_MiB), 8_MiB);
    EXPECT_EQ(dynamic_threshold(1, 128_B), 1_B);
    EXPECT_EQ(dynamic_threshold(one, 0_B), 0_B);
}

TEST(DynamicThreshold, LeavesNothingWhenThePoolIsOverdrawn) {
    EXPECT_LT(dynamic_threshold(one, 0_B - 512_B), 0_B);
}

TEST(DynamicThreshold, LargestAlphaAndBufferDoNotWrap) {
    EXPECT_EQ(dynamic_threshold(16384, Bytes(int64_t{1} << 40)), Bytes(int64_t{1} << 47));
}

TEST(FramesInBuffer, AreOfTheShortestThatAnyPortReceives) {
    Settings settings;
    settings.ports.resize(2);
    settings.buffer.size = 1680_B;
    settings.buffer.cell = 1_B;
    EXPECT_EQ(most_frames_in_buffer(settings), 1680U / 14);
    settings.ports[1].format = presets[static_cast<std::size_t>(FormatFamily::afh_lite)];
    ASSERT_EQ(settings.ports[1].format.header, 12_B);
    EXPECT_EQ(most_frames_in_buffer(settings), 1680U / 12);
    settings.buffer.cell = 256_B;
    EXPECT_EQ(most_frames_in_buffer(settings), 7U) << "the last takes a cell as well";
}

// Choudhury and Hahne: n greedy queues converge to alpha x B / (1 + n x alpha) each, and B / (1 + n
// x alpha) stays free.
TEST(DynamicThreshold, GreedyQueuesConvergeToWhatThePaperSays) {
    constexpr int64_t buffer = 1'200'000;
    for (const int queues : {1, 2, 5, 11}) {
        SharedBuffer pool(Bytes(buffer), 1_B, 1);
        std::array<Bytes, 11> held{};
        for (bool grew = true; grew;) {
            grew = false;
            for (int queue = 0; queue < queues; ++queue) {
                Bytes& mine = held[static_cast<std::size_t>(queue)];
                if (mine + 100_B > dynamic_threshold(one, pool.shard(0).free())) continue;
                mine += 100_B;
                pool.shard(0).take(100_B);
                grew = true;
            }
        }
        const double settled = static_cast<double>(buffer) / (1 + queues);
        for (int queue = 0; queue < queues; ++queue) {
            EXPECT_NEAR(static_cast<double>(held[static_cast<std::size_t>(queue)].count()), settled,
                        100.0 * queues);
        }
        EXPECT_NEAR(static_cast<double>(pool.shard(0).free().count()), settled, 100.0 * queues);
    }
}

TEST(SharedBuffer, ChargesWholeCells) {
    const SharedBuffer pool(1_MiB, 256_B, 1);
    EXPECT_EQ(pool.charge(1_B), 256_B);
    EXPECT_EQ(pool.charge(256_B), 256_B);
    EXPECT_EQ(pool.charge(257_B), 512_B);
    EXPECT_EQ(pool.charge(9216_B), 9216_B);
    const SharedBuffer exact(1_MiB, 1_B, 1);
    EXPECT_EQ(exact.charge(61_B), 61_B);
}

TEST(SharedBuffer, WhatIsTakenIsNoLongerFree) {
    SharedBuffer pool(1_MiB, 256_B, 1);
    pool.shard(0).take(256_KiB);
    pool.shard(0).take(128_KiB);
    EXPECT_EQ(pool.used(), 384_KiB);
    EXPECT_EQ(pool.shard(0).free(), 640_KiB);
    pool.shard(0).give(384_KiB);
    EXPECT_EQ(pool.used(), 0_B);
    EXPECT_EQ(pool.shard(0).free(), 1_MiB);
    EXPECT_EQ(pool.shards()[0].max_used(), 384U * 1024);
}

TEST(SharedBuffer, AWorkerSeesTheOthersOnceItLooksAgain) {
    SharedBuffer pool(1_MiB, 256_B, 2);
    pool.shard(1).take(256_KiB);
    EXPECT_EQ(pool.shard(1).free(), 768_KiB);  // its own, at once
    EXPECT_EQ(pool.shard(0).free(), 1_MiB);
    pool.shard(0).refresh();
    EXPECT_EQ(pool.shard(0).free(), 768_KiB);
    pool.shard(0).take(512_KiB);
    EXPECT_EQ(pool.shard(0).free(), 256_KiB);
    EXPECT_EQ(pool.used(), 768_KiB);
}

// New settings reserve more: use beyond the new size drains before anything is free.
TEST(SharedBuffer, MayBecomeSmallerThanWhatIsUsed) {
    SharedBuffer pool(1_MiB, 256_B, 1);
    pool.shard(0).take(768_KiB);
    pool.resize(512_KiB);
    EXPECT_EQ(pool.shard(0).free(), 0_B - 256_KiB);
    pool.shard(0).give(512_KiB);
    EXPECT_EQ(pool.shard(0).free(), 256_KiB);
    pool.resize(1_MiB);
    EXPECT_EQ(pool.shard(0).free(), 768_KiB);
}

TEST(SharedBuffer, IsWhatIsNotSetAside) {
    Settings settings;
    settings.ports.resize(4);
    settings.buffer.size = 4_MiB;
    EXPECT_EQ(shared_size(settings), 4_MiB);
    settings.buffer.reserved = 4_KiB;  // of 4 x 4 x 8 VOQs
    EXPECT_EQ(shared_size(settings), 4_MiB - 512_KiB);
    settings.ports[1].pfc.lossless = 0b0001'1000;
    settings.ports[1].pfc.headroom = 100_KiB;
    settings.ports[1].max_frame = 1522_B;  // 6 cells, for the frame that reaches XOFF
    EXPECT_EQ(shared_size(settings), 4_MiB - 512_KiB - (100_KiB + 1536_B) * 2);
    settings.ports[1].pfc.reserved = 10_KiB;
    EXPECT_EQ(shared_size(settings), 4_MiB - 512_KiB - (110_KiB + 1536_B) * 2);
    settings.ports[2].pfc.headroom = 100_KiB;  // of no priority
    EXPECT_EQ(shared_size(settings), 4_MiB - 512_KiB - (110_KiB + 1536_B) * 2);
}

}  // namespace
}  // namespace sluice

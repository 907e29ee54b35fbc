#include "pmd_glue/pool.h"

#include <gtest/gtest.h>
#include <rte_mbuf.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "dataplane/types/tag.h"
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

TEST(Pool, HandsOutWhatCameBackLast) {
    const auto pool = make_pool(BufferLayout::packed, 8192);
    std::vector<Frame> all(8192);
    for (std::size_t n = 0; n < all.size(); n += max_burst) {
        ASSERT_TRUE(pool->allocate(std::span(all).subspan(n, max_burst), 60));
    }
    free_frames(*pool, all);
    // A poll of many ports, again and again: more than an lcore's cache has.
    std::set<const uint8_t*> used;
    std::vector<Frame> poll(1024);
    for (int turn = 0; turn < 20; ++turn) {
        for (std::size_t n = 0; n < poll.size(); n += max_burst) {
            ASSERT_TRUE(pool->allocate(std::span(poll).subspan(n, max_burst), 60));
        }
        for (const Frame& frame : poll) used.insert(frame.data);
        free_frames(*pool, poll);
    }
    EXPECT_LT(used.size(), 2048U);
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

TEST(Pool, ABufferThatWasCutIsShorterAndOfNoKnownChecksum) {
    const auto pool = make_pool();
    const auto frames = make_frames(*pool, 1);
    auto& buffer = *static_cast<rte_mbuf*>(frames[0].handle);
    buffer.ol_flags |= RTE_MBUF_F_RX_L4_CKSUM_GOOD;
    Released released;
    released.cut(frames[0].handle, 40);
    pool->apply(released);
    EXPECT_EQ(released.cut_count, 0U);
    EXPECT_EQ(buffer.data_len, 40);
    EXPECT_EQ(buffer.pkt_len, 40U);
    EXPECT_EQ(buffer.ol_flags & RTE_MBUF_F_RX_L4_CKSUM_MASK, 0U);
    free_frames(*pool, frames);
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

class PoolEdit : public testing::Test {
  protected:
    // A frame that is to leave with a tag of VLAN 10 in front.
    Frame due() {
        Frame frame = make_frames(*pool_, 1).front();
        for (uint16_t octet = 0; octet < frame.length; ++octet) {
            frame.data[octet] = static_cast<uint8_t>(octet);
        }
        frame.vlan = 10;
        plan(frame, TagEdit::push_customer);
        return frame;
    }
    static bool is_tagged(const Frame& frame) {
        return edit_of(frame) == TagEdit::none && frame.data[11] == 11 &&
               read_16(frame.data + 12) == 0x8100 && read_16(frame.data + 14) == 10 &&
               frame.data[16] == 12;
    }
    static constexpr Pool::Pcps pcps = {};
    const std::unique_ptr<Pool> pool_ = make_pool(BufferLayout::packed, 64);
};

TEST_F(PoolEdit, PadsWhatBecameTooShort) {
    std::array<Frame, 1> frames;
    ASSERT_TRUE(pool_->allocate(frames, 60));
    std::fill_n(frames[0].data, 64, uint8_t{0xAA});
    plan(frames[0], TagEdit::pop);
    EXPECT_EQ(pool_->edit_tags(frames, pcps), 1U);
    EXPECT_EQ(frames[0].length, 60);
    EXPECT_EQ(frames[0].data[55], 0xAA);
    EXPECT_EQ(read_16(frames[0].data + 56), 0);
    EXPECT_EQ(read_16(frames[0].data + 58), 0);
    free_frames(*pool_, frames);
}

TEST_F(PoolEdit, GivesATagThePcpOfItsPriority) {
    std::array<Frame, 1> frames = {due()};
    frames[0].priority = 3;
    EXPECT_EQ(pool_->edit_tags(frames, {0, 0, 0, 6}), 1U);
    EXPECT_EQ(read_16(frames[0].data + 14), 6 << 13 | 10);
    free_frames(*pool_, frames);
}

TEST_F(PoolEdit, IsInPlaceWhereNobodyElseHoldsTheBuffer) {
    std::array<Frame, 1> frames = {due()};
    const uint16_t length = frames[0].length;
    void* const buffer = frames[0].handle;
    EXPECT_EQ(pool_->edit_tags(frames, pcps), 1U);
    EXPECT_EQ(frames[0].handle, buffer);
    EXPECT_EQ(frames[0].length, length);
    EXPECT_TRUE(is_tagged(frames[0]));
    free_frames(*pool_, frames);
    EXPECT_EQ(pool_->available(), pool_->size());
}

TEST_F(PoolEdit, IsInACopyWhereOthersHoldTheBuffer) {
    std::array<Frame, 1> frames = {due()};
    Frame other = frames[0];
    Pool::share(other.handle, 1);
    EXPECT_EQ(pool_->edit_tags(frames, pcps), 1U);
    EXPECT_NE(frames[0].handle, other.handle);
    EXPECT_TRUE(is_tagged(frames[0]));
    const uint8_t* const untouched = other.data + tag_octets;
    EXPECT_EQ(untouched[12], 12);
    free_frames(*pool_, frames);
    free_frames(*pool_, std::span(&other, 1));
    EXPECT_EQ(pool_->available(), pool_->size());
}

TEST_F(PoolEdit, StopsAtTheFirstThatGetsNoBuffer) {
    std::array<Frame, 2> frames = {due(), due()};
    Pool::share(frames[1].handle, 1);
    std::vector<Frame> rest;
    std::array<Frame, 1> one;
    while (pool_->allocate(one, 60)) rest.push_back(one[0]);
    EXPECT_EQ(pool_->edit_tags(frames, pcps), 1U);
    EXPECT_TRUE(is_tagged(frames[0]));
    EXPECT_EQ(edit_of(frames[1]), TagEdit::push_customer);
    free_frames(*pool_, std::span(&frames[1], 1));
    EXPECT_EQ(pool_->edit_tags(std::span(&frames[1], 1), pcps), 1U) << "nobody else holds it now";
    free_frames(*pool_, frames);
    free_frames(*pool_, rest);
    EXPECT_EQ(pool_->available(), pool_->size());
}

// create() compares every buffer with the UMEM that the af_xdp driver registers.
TEST(Pool, WithPagesEveryBufferIsInsideTheSpan) {
    for (const std::size_t buffers : {1000U, 4096U, 10'001U}) {
        const auto pool = make_pool(BufferLayout::page, buffers);
        ASSERT_NE(pool, nullptr);
        EXPECT_EQ(pool->available(), buffers);
        EXPECT_GE(pool->room(), Bytes(3520));
    }
}

TEST(Pool, OneThatIsKeptOutlivesItsOwner) {
    auto pool = make_pool(BufferLayout::packed, 64);
    Pool& kept = Pool::keep(std::move(pool));
    std::vector<Frame> frames = make_frames(kept, 3);
    EXPECT_EQ(kept.available(), 61U);
    free_frames(kept, frames);
    EXPECT_EQ(kept.available(), 64U);
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

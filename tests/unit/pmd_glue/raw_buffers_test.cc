#include "pmd_glue/raw_buffers.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {
namespace {

TEST(RawBuffers, AreAsNewWhateverWasDoneToThem) {
    const auto pool = make_pool(BufferLayout::packed, 64);
    std::vector<rte_mbuf*> all(64);
    for (int turn = 0; turn < 2; ++turn) {
        ASSERT_TRUE(raw_alloc_bulk(pool->native(), all));
        for (rte_mbuf* const buffer : all) {
            EXPECT_EQ(buffer->data_off, RTE_PKTMBUF_HEADROOM);
            EXPECT_EQ(buffer->ol_flags, 0U);
            EXPECT_EQ(buffer->packet_type, 0U);
            EXPECT_EQ(buffer->port, RTE_MBUF_PORT_INVALID);
            EXPECT_EQ(buffer->nb_segs, 1);
            EXPECT_EQ(buffer->next, nullptr);
            EXPECT_EQ(rte_mbuf_refcnt_read(buffer), 1);
            rte_mbuf_sanity_check(buffer, 1);
            rte_pktmbuf_append(buffer, 60);
            rte_pktmbuf_prepend(buffer, 4);
            buffer->ol_flags = RTE_MBUF_F_TX_VLAN;
            buffer->packet_type = 7;
            buffer->port = 7;
        }
        raw_free_bulk(all);
        EXPECT_EQ(pool->available(), 64U);
    }
}

TEST(RawBuffers, AreAllOrNone) {
    const auto pool = make_pool(BufferLayout::packed, 64);
    std::vector<rte_mbuf*> most(60);
    ASSERT_TRUE(raw_alloc_bulk(pool->native(), most));
    std::array<rte_mbuf*, 5> more{};
    EXPECT_FALSE(raw_alloc_bulk(pool->native(), more));
    EXPECT_EQ(pool->available(), 4U);
    raw_free_bulk(most);
    EXPECT_EQ(pool->available(), 64U);
}

TEST(RawBuffers, GoHomeEachToItsOwnPool) {
    const auto first = make_pool(BufferLayout::packed, 64);
    const auto second = make_pool(BufferLayout::packed, 64);
    std::array<rte_mbuf*, 4> mixed{};
    ASSERT_TRUE(raw_alloc_bulk(first->native(), std::span(mixed).first(2)));
    ASSERT_TRUE(raw_alloc_bulk(second->native(), std::span(mixed).last(2)));
    for (const bool mixes : {false, true}) {
        std::array<rte_mbuf*, 4> order = mixed;
        if (mixes) std::swap(order[1], order[2]);
        raw_free_bulk(order);
        EXPECT_EQ(first->available(), 64U);
        EXPECT_EQ(second->available(), 64U);
        ASSERT_TRUE(raw_alloc_bulk(first->native(), std::span(mixed).first(2)));
        ASSERT_TRUE(raw_alloc_bulk(second->native(), std::span(mixed).last(2)));
    }
    raw_free_bulk(mixed);
}

TEST(RawBuffers, StayWithTheirOtherHolders) {
    const auto pool = make_pool(BufferLayout::packed, 64);
    std::array<rte_mbuf*, 2> pair{};
    ASSERT_TRUE(raw_alloc_bulk(pool->native(), pair));
    rte_mbuf* const shared = pair[0];
    Pool::share(shared, 1);
    raw_free_bulk(pair);
    EXPECT_EQ(pool->available(), 63U);
    std::array<rte_mbuf*, 1> last = {shared};
    raw_free_bulk(last);
    EXPECT_EQ(pool->available(), 64U);
}

TEST(RawBuffers, OfNoneNothingGoes) {
    const auto pool = make_pool(BufferLayout::packed, 64);
    raw_free_bulk({});
    EXPECT_EQ(pool->available(), 64U);
}

TEST(RawBuffers, WithAnothersMemoryReleaseIt) {
    const auto pool = make_pool(BufferLayout::packed, 64);
    std::array<rte_mbuf*, 2> pair{};
    ASSERT_TRUE(raw_alloc_bulk(pool->native(), pair));
    rte_pktmbuf_attach(pair[0], pair[1]);
    raw_free_bulk(pair);
    EXPECT_EQ(pool->available(), 64U);
    std::vector<rte_mbuf*> all(64);
    ASSERT_TRUE(raw_alloc_bulk(pool->native(), all));
    for (const rte_mbuf* const buffer : all) EXPECT_TRUE(RTE_MBUF_DIRECT(buffer));
    raw_free_bulk(all);
}

TEST(RawBuffers, OfAFrameInSeveralAllGo) {
    const auto pool = make_pool(BufferLayout::packed, 64);
    std::array<rte_mbuf*, 2> parts{};
    ASSERT_TRUE(raw_alloc_bulk(pool->native(), parts));
    for (rte_mbuf* const part : parts) {
        part->data_len = 60;
        part->pkt_len = 60;
    }
    ASSERT_EQ(rte_pktmbuf_chain(parts[0], parts[1]), 0);
    raw_free_bulk(std::span(parts).first(1));
    EXPECT_EQ(pool->available(), 64U);
}

}  // namespace
}  // namespace sluice::pmd

// The guest's end is a ring of DPDK's: buffers as the vhost library hands them over, and as it
// would get them.
#include "pmd_glue/vhost/guest.h"

#include <gtest/gtest.h>
#include <rte_bus_vdev.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_ring.h>

#include <algorithm>

#include "pmd_glue/raw_buffers.h"
#include "tests/support/segments.h"
#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd::vhost {
namespace {

using test::Octets;
using test::SegmentSpec;

constexpr std::size_t segment_octets = 1000;
constexpr uint64_t takes_segments = 1U << 1 | 1U << 7 | 1U << 8;

class GuestTest : public testing::Test {
  protected:
    void SetUp() override {
        ring_ = rte_ring_create("guest", 16, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
        ethdev_ = static_cast<uint16_t>(rte_eth_from_ring(ring_));
        rte_eth_conf conf{};
        ASSERT_EQ(rte_eth_dev_configure(ethdev_, 1, 1, &conf), 0);
        ASSERT_EQ(rte_eth_rx_queue_setup(ethdev_, 0, 16, 0, nullptr, pool_->native()), 0);
        ASSERT_EQ(rte_eth_tx_queue_setup(ethdev_, 0, 16, 0, nullptr), 0);
        ASSERT_EQ(rte_eth_dev_start(ethdev_), 0);
    }
    void TearDown() override {
        while (auto* const left = from_ring()) rte_pktmbuf_free(left);
        rte_eth_dev_stop(ethdev_);
        std::array<char, RTE_ETH_NAME_MAX_LEN> name{};
        rte_eth_dev_get_name_by_port(ethdev_, name.data());
        rte_eth_dev_close(ethdev_);
        rte_vdev_uninit(name.data());
        rte_ring_free(ring_);
        EXPECT_EQ(pool_->available(), pool_->size()) << "buffers were lost";
    }
    rte_mbuf* from_ring() {
        void* buffer = nullptr;
        return rte_ring_dequeue(ring_, &buffer) == 0 ? static_cast<rte_mbuf*>(buffer) : nullptr;
    }
    // A chain of buffers of at most `piece` octets.
    rte_mbuf* chain(const Octets& octets, std::size_t piece = 2000) {
        rte_mbuf* head = nullptr;
        for (std::size_t at = 0; at < octets.size(); at += piece) {
            rte_mbuf* const part = rte_pktmbuf_alloc(pool_->native());
            const std::size_t size = std::min(piece, octets.size() - at);
            std::copy_n(
                &octets[at], size,
                reinterpret_cast<uint8_t*>(rte_pktmbuf_append(part, static_cast<uint16_t>(size))));
            if (head == nullptr) {
                head = part;
            } else {
                EXPECT_EQ(rte_pktmbuf_chain(head, part), 0);
            }
        }
        return head;
    }
    void from_guest(rte_mbuf* frame, uint64_t flags, std::size_t octets = 0) {
        frame->ol_flags |= flags;
        frame->tso_segsz = static_cast<uint16_t>(octets);
        ASSERT_EQ(rte_ring_enqueue(ring_, frame), 0);
    }
    static Octets octets_of(const rte_mbuf& frame) {
        Octets octets(frame.pkt_len);
        const void* const all = rte_pktmbuf_read(&frame, 0, frame.pkt_len, octets.data());
        if (all != octets.data())
            std::copy_n(static_cast<const uint8_t*>(all), octets.size(), octets.data());
        return octets;
    }
    // All that comes, by bursts of so many.
    std::vector<Octets> receive(Guest& guest, std::size_t burst = max_burst) {
        std::vector<Octets> frames;
        std::array<rte_mbuf*, max_burst> buffers;
        while (const std::size_t got = guest.receive(0, std::span(buffers).first(burst))) {
            for (rte_mbuf* const buffer : std::span(buffers).first(got)) {
                EXPECT_EQ(buffer->nb_segs, 1);
                frames.push_back(octets_of(*buffer));
                rte_pktmbuf_free(buffer);
            }
        }
        return frames;
    }

    std::unique_ptr<Pool> pool_ = make_pool();
    rte_ring* ring_ = nullptr;
    uint16_t ethdev_ = 0;
};

constexpr uint64_t left_out = RTE_MBUF_F_RX_L4_CKSUM_NONE;

TEST_F(GuestTest, WhatItLeavesIsFinishedAndCutInOrder) {
    for (const std::size_t burst : {std::size_t{1}, std::size_t{5}, max_burst}) {
        Guest guest(ethdev_, 1, pool_->native());
        std::vector<Octets> wanted;
        for (const bool is_ipv6 : {false, true}) {
            const SegmentSpec plain{.is_ipv6 = is_ipv6, .is_tcp = false, .tags = 1};
            from_guest(chain(test::unfinished_frame_of(plain)), left_out);
            const SegmentSpec segment{.is_ipv6 = is_ipv6, .payload = 7300};
            from_guest(chain(test::unfinished_frame_of(segment)), left_out | RTE_MBUF_F_RX_LRO,
                       segment_octets);
            from_guest(chain(test::frame_of(plain)), 0);
            wanted.push_back(test::frame_of(plain));
            std::ranges::copy(test::segmented(segment, segment_octets), std::back_inserter(wanted));
            wanted.push_back(test::frame_of(plain));
        }
        EXPECT_EQ(receive(guest, burst), wanted);
        const Guest::Counts counts = guest.counts();
        EXPECT_EQ(counts.offloads.checksums_finished, 2U);
        EXPECT_EQ(counts.offloads.segments_cut, 2U);
        EXPECT_EQ(counts.offloads.frames_cut, 16U);
        EXPECT_EQ(counts.unusable, 0U);
    }
}

TEST_F(GuestTest, WhatIsNoSegmentIsCountedAndFreed) {
    Guest guest(ethdev_, 1, pool_->native());
    const Octets udp = test::unfinished_frame_of({.is_tcp = false, .payload = 3000});
    from_guest(chain(udp), left_out | RTE_MBUF_F_RX_LRO, segment_octets);
    const Octets tcp = test::unfinished_frame_of({.payload = 3000});
    from_guest(chain(tcp), left_out | RTE_MBUF_F_RX_LRO, 0);
    from_guest(chain(tcp), left_out | RTE_MBUF_F_RX_LRO, 2900);  // frames longer than a buffer
    from_guest(chain(Octets(70000, 1)), left_out | RTE_MBUF_F_RX_LRO, segment_octets);
    EXPECT_TRUE(receive(guest).empty());
    EXPECT_EQ(guest.counts().unusable, 4U);
}

TEST_F(GuestTest, WhatIsNotReceivedIsFreedWithIt) {
    Guest guest(ethdev_, 1, pool_->native());
    const SegmentSpec segment{.payload = 7300};
    for (int time = 0; time < 2; ++time) {
        from_guest(chain(test::unfinished_frame_of(segment)), left_out | RTE_MBUF_F_RX_LRO,
                   segment_octets);
    }
    std::array<rte_mbuf*, 1> one{};
    ASSERT_EQ(guest.receive(0, one), 1U);
    rte_pktmbuf_free(one[0]);
}

class GuestSenderTest : public GuestTest {
  protected:
    std::vector<rte_mbuf*> buffers_of(const std::vector<Octets>& frames) {
        std::vector<rte_mbuf*> buffers;
        for (const Octets& octets : frames) buffers.push_back(chain(octets));
        return buffers;
    }
    std::vector<Octets> sent() {
        std::vector<Octets> all;
        while (rte_mbuf* const frame = from_ring()) {
            all.push_back(octets_of(*frame));
            rte_pktmbuf_free(frame);
        }
        return all;
    }
};

TEST_F(GuestSenderTest, FramesOfAFlowLeaveAsTheSegmentThatTheyWere) {
    GuestSender sender(ethdev_);
    for (const bool is_ipv6 : {false, true}) {
        const SegmentSpec segment{.is_ipv6 = is_ipv6, .payload = 4300};
        auto frames = buffers_of(test::segmented(segment, segment_octets));
        sender.set_features(takes_segments);
        EXPECT_EQ(sender.transmit(frames, pool_->native()), 5U);
        rte_mbuf* const whole = from_ring();
        ASSERT_NE(whole, nullptr);
        EXPECT_EQ(octets_of(*whole), test::unfinished_frame_of(segment));
        EXPECT_EQ(whole->ol_flags, RTE_MBUF_F_TX_TCP_SEG | RTE_MBUF_F_TX_TCP_CKSUM |
                                       (is_ipv6 ? RTE_MBUF_F_TX_IPV6 : RTE_MBUF_F_TX_IPV4));
        EXPECT_EQ(whole->l2_len, segment.network());
        EXPECT_EQ(whole->l2_len + whole->l3_len, segment.transport());
        EXPECT_EQ(whole->l2_len + whole->l3_len + whole->l4_len, segment.headers());
        EXPECT_EQ(whole->tso_segsz, segment_octets);
        EXPECT_LT(whole->data_len, segment.headers()) << "the library would write over the sum";
        rte_pktmbuf_free(whole);
        EXPECT_EQ(from_ring(), nullptr);
    }
    EXPECT_EQ(sender.joined(), 10U);
    EXPECT_EQ(sender.segments(), 2U);
}

TEST_F(GuestSenderTest, AGuestThatTakesNoSegmentsGetsFrames) {
    GuestSender sender(ethdev_);
    const auto frames = test::segmented({.payload = 4300}, segment_octets);
    constexpr uint64_t without_checksums = 1U << 7 | 1U << 8;
    for (const uint64_t features : {uint64_t{0}, without_checksums, uint64_t{1U << 1}}) {
        sender.set_features(features);
        auto buffers = buffers_of(frames);
        EXPECT_EQ(sender.transmit(buffers, pool_->native()), 5U);
        EXPECT_EQ(sent(), frames);
    }
    EXPECT_EQ(sender.joined(), 0U);
}

TEST_F(GuestSenderTest, WhatOthersHaveAsWellIsNotJoined) {
    GuestSender sender(ethdev_);
    sender.set_features(takes_segments);
    const auto frames = test::segmented({.payload = 4300}, segment_octets);
    auto buffers = buffers_of(frames);
    for (rte_mbuf* const buffer : buffers) rte_mbuf_refcnt_update(buffer, 1);
    EXPECT_EQ(sender.transmit(buffers, pool_->native()), 5U);
    EXPECT_EQ(sent(), frames);
    for (rte_mbuf* const buffer : buffers) rte_pktmbuf_free(buffer);
}

TEST_F(GuestSenderTest, WhatIsRefusedIsAsItWas) {
    GuestSender sender(ethdev_);
    auto first = buffers_of(test::segmented({.payload = 15}, 1));  // the ring's 15 places
    ASSERT_EQ(sender.transmit(first, pool_->native()), 15U);
    sender.set_features(takes_segments);
    const auto frames = test::segmented({.payload = 4300}, segment_octets);
    auto buffers = buffers_of(frames);
    EXPECT_EQ(sender.transmit(buffers, pool_->native()), 0U);
    for (std::size_t number = 0; number < frames.size(); ++number) {
        EXPECT_TRUE(is_raw(*buffers[number]));
        EXPECT_EQ(octets_of(*buffers[number]), frames[number]);
    }
    while (auto* const one = from_ring()) rte_pktmbuf_free(one);
    EXPECT_EQ(sender.transmit(buffers, pool_->native()), 5U);
    EXPECT_EQ(sent().size(), 1U);
}

}  // namespace
}  // namespace sluice::pmd::vhost

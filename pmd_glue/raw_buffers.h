// Raw buffers: many frame buffers taken from a pool, or given back, by the first cache line of each
// alone.
//
// rte_pktmbuf_alloc_bulk and rte_pktmbuf_free_bulk touch the second one as well, where `next` lies.
// By DPDK's own rule (rte_mbuf_raw_alloc) a buffer in a pool has one reference, one segment and no
// `next`, and a head of one segment has no `next`; so there is nothing to read or to write there.
// Drivers of NICs take buffers so, and with MBUF_FAST_FREE give them back so. What has more than
// one reference or segment, or memory that is not its own, is left to rte_pktmbuf_free.
// Bound: an lcore's cache of a pool is gone to once for all, or once for each run of one pool.
// Not done here: data_len and pkt_len, which the taker of a buffer sets; vlan_tci, vlan_tci_outer
// and tx_offload are as the last user left them, and mean nothing without a flag of ol_flags. Not
// for pools of memory that is elsewhere (rte_pktmbuf_pool_create_extbuf).
#pragma once

#include <rte_mbuf.h>
#include <cassert>
#include <cstddef>
#include <span>
#include <utility>

namespace sluice::pmd {

// Whether it may lie in a pool.
inline bool is_raw(const rte_mbuf& buffer) {
    return rte_mbuf_refcnt_read(&buffer) == 1 && buffer.nb_segs == 1 && buffer.next == nullptr;
}

// All of them, their content undefined, or none.
inline bool raw_alloc_bulk(rte_mempool* pool, std::span<rte_mbuf*> buffers) {
    if (rte_mempool_get_bulk(pool, reinterpret_cast<void**>(buffers.data()),
                             static_cast<unsigned>(buffers.size())) != 0) {
        return false;
    }
    for (rte_mbuf* const buffer : buffers) {
        assert(is_raw(*buffer));
        // With those between that have these values, so that one store does for all.
        buffer->data_off = RTE_PKTMBUF_HEADROOM;
        buffer->refcnt = 1;
        buffer->nb_segs = 1;
        buffer->port = RTE_MBUF_PORT_INVALID;
        buffer->ol_flags = 0;
        buffer->packet_type = 0;
    }
    return true;
}

// Each goes to its own pool; none is null. The span itself is overwritten.
inline void raw_free_bulk(std::span<rte_mbuf*> buffers) {
    const auto put = [buffers](rte_mempool* pool, std::size_t count) {
        if (count == 0) return;
        rte_mempool_put_bulk(pool, reinterpret_cast<void**>(buffers.data()),
                             static_cast<unsigned>(count));
    };
    std::size_t count = 0;  // of the first, those that go back together
    rte_mempool* pool = nullptr;
    for (rte_mbuf* const buffer : buffers) {
        const bool is_plain =
            rte_mbuf_refcnt_read(buffer) == 1 && buffer->nb_segs == 1 && RTE_MBUF_DIRECT(buffer);
        if (!is_plain) [[unlikely]] {
            rte_pktmbuf_free(buffer);
            continue;
        }
        assert(is_raw(*buffer));
        if (buffer->pool != pool) [[unlikely]] {
            put(pool, std::exchange(count, 0));
            pool = buffer->pool;
        }
        buffers[count++] = buffer;
    }
    put(pool, count);
}

}  // namespace sluice::pmd

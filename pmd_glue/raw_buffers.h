// Raw buffers: many frame buffers taken from a pool, or given back, by the first cache line of each
// alone.
//
// rte_pktmbuf_alloc_bulk and rte_pktmbuf_free_bulk touch the second one as well, where `next` lies.
// By DPDK's own rule (rte_mbuf_raw_alloc) a buffer in a pool has one reference, one segment and no
// `next`, and a head of one segment has no `next`; so there is nothing to read or to write there.
// Drivers of NICs do the same. What has more than one reference or segment, or memory that is not
// its own, is left to rte_pktmbuf_free.
// Bound: a burst takes the lcore's cache of the pool once.
// Not done here: data_len and pkt_len, which who takes a buffer sets.
#pragma once

#include <rte_mbuf.h>
#include <span>

namespace sluice::pmd {

// All of them, empty, or none.
inline bool raw_alloc_bulk(rte_mempool* pool, std::span<rte_mbuf*> buffers) {
    if (rte_mempool_get_bulk(pool, reinterpret_cast<void**>(buffers.data()),
                             static_cast<unsigned>(buffers.size())) != 0) {
        return false;
    }
    for (rte_mbuf* const buffer : buffers) {
        buffer->data_off = RTE_PKTMBUF_HEADROOM;
        buffer->port = RTE_MBUF_PORT_INVALID;
        buffer->ol_flags = 0;
        buffer->packet_type = 0;
        buffer->vlan_tci = 0;
    }
    return true;
}

// Each goes to its own pool. The span itself is overwritten.
inline void raw_free_bulk(std::span<rte_mbuf*> buffers) {
    if (buffers.empty()) return;
    rte_mempool* const pool = buffers.front()->pool;
    unsigned count = 0;
    for (rte_mbuf* const buffer : buffers) {
        const bool is_plain = buffer->pool == pool && rte_mbuf_refcnt_read(buffer) == 1 &&
                              buffer->nb_segs == 1 && RTE_MBUF_DIRECT(buffer);
        if (is_plain) [[likely]] {
            buffers[count++] = buffer;
        } else {
            rte_pktmbuf_free(buffer);
        }
    }
    rte_mempool_put_bulk(pool, reinterpret_cast<void**>(buffers.data()), count);
}

}  // namespace sluice::pmd

// Raw buffers: allocates and frees many frame buffers, touching only the first cache line of each.
//
// rte_pktmbuf_alloc_bulk and rte_pktmbuf_free_bulk also touch the second line, which holds `next`.
// By DPDK's own rule (rte_mbuf_raw_alloc) a buffer in a pool has one reference, one segment and no
// `next`, and a single-segment buffer has no `next`, so that line need not be read or written. NIC
// drivers allocate buffers in this way, and free them in this way with MBUF_FAST_FREE. Buffers with
// several references or segments, or with external memory, are left to rte_pktmbuf_free.
// Bound: one access to the lcore's cache of the pool for all buffers, or one for each sequence of
// buffers of one pool.
// Not done here: data_len and pkt_len, which the caller sets; vlan_tci, vlan_tci_outer and
// tx_offload keep their last values, which mean nothing without a flag of ol_flags. Not for pools
// with external memory (rte_pktmbuf_pool_create_extbuf).
#pragma once

#include <rte_mbuf.h>
#include <cassert>
#include <cstddef>
#include <span>
#include <utility>

namespace sluice::pmd {

// Returns whether the buffer's fields are as a pool requires.
inline bool is_raw(const rte_mbuf& buffer) {
    return rte_mbuf_refcnt_read(&buffer) == 1 && buffer.nb_segs == 1 && buffer.next == nullptr;
}

// Allocates all buffers, with undefined content, or none.
inline bool raw_alloc_bulk(rte_mempool* pool, std::span<rte_mbuf*> buffers) {
    if (rte_mempool_get_bulk(pool, reinterpret_cast<void**>(buffers.data()),
                             static_cast<unsigned>(buffers.size())) != 0) {
        return false;
    }
    for (rte_mbuf* const buffer : buffers) {
        assert(is_raw(*buffer));
        // Fields that already hold these values are written as well: the fields are adjacent, so
        // the compiler makes one store of them.
        buffer->data_off = RTE_PKTMBUF_HEADROOM;
        buffer->refcnt = 1;
        buffer->nb_segs = 1;
        buffer->port = RTE_MBUF_PORT_INVALID;
        buffer->ol_flags = 0;
        buffer->packet_type = 0;
    }
    return true;
}

// Frees each buffer to its own pool; no pointer may be null. The span itself is overwritten.
inline void raw_free_bulk(std::span<rte_mbuf*> buffers) {
    const auto put = [buffers](rte_mempool* pool, std::size_t count) {
        if (count == 0) return;
        rte_mempool_put_bulk(pool, reinterpret_cast<void**>(buffers.data()),
                             static_cast<unsigned>(count));
    };
    std::size_t count = 0;  // first buffers of the span that are to be freed to `pool`
    rte_mempool* pool = nullptr;
    for (rte_mbuf* const buffer : buffers) {
        assert(buffer != nullptr && rte_mbuf_refcnt_read(buffer) > 0 && "what is freed is held");
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

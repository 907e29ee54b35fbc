// Cut frames: puts the next frames of a segment (offload/cut.h) into buffers of their own, as many
// as buffers are available. Their checksums are computed, and marked as correct.
// Used for segments of the kernel's hosts (receiver.h), and of guests (vhost/guest_receiver.h),
// whose payloads are stored differently: `copy_payload(number, to)` copies the payload of a frame.
#pragma once

#include <rte_mbuf.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>

#include "dataplane/offload/cut.h"
#include "pmd_glue/packet/checksum_mark.h"
#include "pmd_glue/raw_buffers.h"

namespace sluice::pmd::packet {

inline void set_length(rte_mbuf& buffer, std::size_t octets) {
    buffer.data_len = static_cast<uint16_t>(octets);
    buffer.pkt_len = buffer.data_len;
}

// Returns the number of frames that got a buffer. `next`: number of the first frame to put into a
// buffer; becomes the number after the last one.
template <class CopyPayload>
std::size_t cut_frames(const offload::Cut& cut, std::size_t& next, std::span<rte_mbuf*> room,
                       rte_mempool* pool, CopyPayload copy_payload) {
    assert(next < cut.frames() && !room.empty());
    const std::size_t wanted = std::min(room.size(), cut.frames() - next);
    std::size_t taken = raw_alloc_bulk(pool, room.first(wanted)) ? wanted : 0;
    // The pool may have one buffer left.
    if (taken == 0 && raw_alloc_bulk(pool, room.first(1))) taken = 1;
    for (rte_mbuf* const buffer : room.first(taken)) {
        const std::size_t number = next++;
        const std::span<uint8_t> frame(rte_pktmbuf_mtod(buffer, uint8_t*),
                                       cut.header_octets() + cut.payload_octets(number));
        copy_payload(number, frame.subspan(cut.header_octets()));
        cut.write_headers(number, frame);
        set_length(*buffer, frame.size());
        buffer->ol_flags |= checksum_is_right;
    }
    return taken;
}

}  // namespace sluice::pmd::packet

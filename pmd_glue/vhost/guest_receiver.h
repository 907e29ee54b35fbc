// Guest receiver: turns the packets of one queue of a virtual machine's virtio device into frames
// of the wire.
//
// A guest by default leaves checksums and the segmentation of TCP to its device. DPDK's vhost
// library returns a segment as a chain of buffers, and flags the unfinished offloads (`LRO`,
// `L4_CKSUM_NONE`) without their positions, which are parsed from the frame's headers. The library
// itself completes offloads that such flags cannot describe, such as a checksum within a tunnel.
// Bound: a finished frame costs a look at its flags; a segment is copied once. A guest is not
// trusted: an invalid or too long segment counts as `unusable`. `receive` belongs to one thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/offload/cut.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"

struct rte_mbuf;
struct rte_mempool;

namespace sluice::pmd::vhost {

class GuestReceiver {
  public:
    struct Counts {
        uint64_t unusable = 0;
        uint64_t checksums_finished = 0;
        uint64_t segments_cut = 0;
        uint64_t frames_cut = 0;
    };

    GuestReceiver(uint16_t ethdev, uint16_t queue) : ethdev_(ethdev), queue_(queue) {}
    ~GuestReceiver();
    GuestReceiver(const GuestReceiver&) = delete;
    GuestReceiver& operator=(const GuestReceiver&) = delete;

    // --- called by its worker -------------------------------------------------------------------
    std::size_t receive(std::span<rte_mbuf*> buffers, rte_mempool* pool);
    // Whether the last `receive` returned fewer frames than fit, although a segment waits for
    // buffers.
    [[nodiscard]] bool holds_back() const { return holds_back_; }

    // --- called by control ----------------------------------------------------------------------
    [[nodiscard]] Counts counts() const;

  private:
    // A segment of which some frames have not been received yet.
    struct Cutting {
        offload::Cut cut;
        rte_mbuf* segment = nullptr;
        const rte_mbuf* part = nullptr;  // part of the segment with the next payload
        std::size_t offset = 0;          // offset of the next payload in `part`
        std::size_t next = 0;
    };

    std::size_t take(std::span<rte_mbuf*> room);
    void start_cutting(rte_mbuf* segment, std::size_t room);
    std::size_t go_on_cutting(std::span<rte_mbuf*> room, rte_mempool* pool);
    void copy_payload(std::span<uint8_t> to);
    void finish(rte_mbuf& frame);

    const uint16_t ethdev_;
    const uint16_t queue_;
    // Frames from the first segment of a burst on, in order.
    std::array<rte_mbuf*, max_burst> waiting_;
    std::size_t first_waiting_ = 0;
    std::size_t end_waiting_ = 0;
    std::optional<Cutting> cutting_;
    bool sends_segments_ = false;  // whether the guest's last burst had a segment
    bool holds_back_ = false;
    Counter unusable_;
    Counter checksums_finished_;
    Counter segments_cut_;
    Counter frames_cut_;
};

}  // namespace sluice::pmd::vhost

// Guest sender: sends bursts of frames to a virtual machine's virtio device.
//
// Consecutive frames of a TCP flow in a burst are sent as one segment (offload/join.h) if the guest
// accepts segments with unfinished checksums: its kernel then handles one packet instead of up to
// 45. A segment is a chain: a buffer with the headers, and the frames' own buffers without their
// headers, which are restored if the device refuses the segment. A refused segment is sent frame by
// frame: a short ring may never have room for all of it.
// Bound: a burst in which nothing can be joined costs a look at each frame's headers.
// `transmit` belongs to one thread. A thread of the driver reads the guest's features when the
// guest attaches.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "dataplane/offload/join.h"
#include "dataplane/types/counters.h"
#include "dataplane/types/limits.h"

struct rte_mbuf;
struct rte_mempool;

namespace sluice::pmd::vhost {

class GuestSender {
  public:
    explicit GuestSender(uint16_t ethdev);  // no guest yet; close the ethdev after this object
    ~GuestSender();
    GuestSender(const GuestSender&) = delete;
    GuestSender& operator=(const GuestSender&) = delete;

    // --- called by its worker -------------------------------------------------------------------
    // Returns how many of at most max_burst frames were accepted, and freed. `pool`: for headers.
    std::size_t transmit(std::span<rte_mbuf*> frames, rte_mempool* pool);

    // --- called by a thread of the driver -------------------------------------------------------
    void learn_features();
    // `features`: bits as virtio numbers them.
    void set_features(uint64_t features) { features_.store(features, std::memory_order_relaxed); }

    // --- called by control ----------------------------------------------------------------------
    // Count the frames that were sent within segments, and those segments.
    [[nodiscard]] uint64_t joined() const { return joined_.value(); }
    [[nodiscard]] uint64_t segments() const { return segments_.value(); }

  private:
    // Frames of one message of the burst.
    struct Message {
        std::size_t first = 0;
        std::size_t frames = 1;
        std::size_t header_octets = 0;
    };

    [[nodiscard]] offload::Join::Kinds kinds() const;
    std::size_t compose(std::span<rte_mbuf* const> frames, const offload::Join::Kinds& kinds,
                        rte_mempool* pool);
    rte_mbuf* join_from(std::span<rte_mbuf* const> frames, const offload::Join::Kinds& kinds,
                        rte_mempool* pool, Message& message);
    void take_apart(rte_mbuf* segment, std::size_t header_octets);

    const uint16_t ethdev_;
    std::atomic<uint64_t> features_{0};
    offload::Join join_;
    std::array<Message, max_burst> about_;
    std::array<rte_mbuf*, max_burst> messages_;
    Counter joined_;
    Counter segments_;
};

}  // namespace sluice::pmd::vhost

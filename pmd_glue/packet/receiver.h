// Receiver: turns the packets of one receive ring, or of a TAP, into frames of the wire.
//
// The tag is inserted again, with its own type (802.1Q or 802.1ad); a checksum that the host left
// unfinished is completed; a segment longer than the wire allows is cut into frames.
// A segment that fits into a burst is received in one burst, so that its frames may be sent as one
// segment again.
// Bound: a frame is copied once, a segment twice (the second time out of the cache).
// `receive` belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dataplane/offload/cut.h"
#include "dataplane/types/counters.h"
#include "pmd_glue/packet/receive_ring.h"
#include "pmd_glue/packet/tap.h"

struct rte_mbuf;
struct rte_mempool;

namespace sluice::pmd::packet {

class Receiver {
  public:
    struct Counts {
        uint64_t missed = 0;  // dropped by the kernel, or could not be read whole
        uint64_t unusable = 0;
        uint64_t checksums_finished = 0;
        uint64_t segments_cut = 0;
        uint64_t frames_cut = 0;
    };

    explicit Receiver(std::unique_ptr<ReceiveRing> ring);
    explicit Receiver(Tap& tap);  // `tap` must outlive the receiver

    // --- called by its worker -------------------------------------------------------------------
    std::size_t receive(std::span<rte_mbuf*> buffers, rte_mempool* pool);
    // Whether the last `receive` returned fewer frames than fit, although a segment or frame waits.
    [[nodiscard]] bool holds_back() const { return holds_back_; }

    // --- called by control ----------------------------------------------------------------------
    [[nodiscard]] Counts counts() const;
    // Returns the ring that frames are received from; null for a TAP.
    [[nodiscard]] const ReceiveRing* ring() const { return ring_.get(); }

  private:
    // A segment of which some frames have not been received yet.
    struct Cutting {
        offload::Cut cut;
        std::span<const uint8_t> octets;  // without the separate tag
        std::size_t tag_octets = 0;       // octets of the tag, which only the cut's headers have
        std::size_t next = 0;
    };

    std::optional<Arrival> look() { return tap_ != nullptr ? tap_->look() : ring_->look(); }
    void give_back() { tap_ != nullptr ? tap_->give_back() : ring_->give_back(); }
    enum class Start : uint8_t { cutting, gone, too_long };
    Start start_cutting(const Arrival& arrival, std::size_t room);
    std::size_t go_on_cutting(std::span<rte_mbuf*> room, rte_mempool* pool);
    bool take_frame(const Arrival& arrival, rte_mbuf*& buffer, rte_mempool* pool);

    std::unique_ptr<ReceiveRing> ring_;
    Tap* tap_ = nullptr;          // used if `ring_` is null
    std::vector<uint8_t> whole_;  // segment that did not fit into a slot of the ring
    std::optional<Cutting> cutting_;
    bool holds_back_ = false;
    Counter unread_;  // segments that could not be read whole
    Counter unusable_;
    Counter checksums_finished_;
    Counter segments_cut_;
    Counter frames_cut_;
};

}  // namespace sluice::pmd::packet

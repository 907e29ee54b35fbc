// Receiver: turns the contents of one receive ring, or a TAP, into frames of the wire.
//
// The tag is inserted again, with its own type (802.1Q or 802.1ad); a checksum that the host left
// unfinished is finished; a segment longer than the wire takes is cut into frames.
// A segment that fits a burst is received in one burst, so that its frames may leave as one segment
// again.
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
        uint64_t missed = 0;  // by the kernel, or came without their whole
        uint64_t unusable = 0;
        uint64_t checksums_finished = 0;
        uint64_t segments_cut = 0;
        uint64_t frames_cut = 0;
    };

    explicit Receiver(std::unique_ptr<ReceiveRing> ring);
    explicit Receiver(Tap& tap);  // which outlives it

    // --- by its worker --------------------------------------------------------------------------
    std::size_t receive(std::span<rte_mbuf*> buffers, rte_mempool* pool);
    // Whether the last `receive` left a segment behind, though it filled fewer than it was given.
    [[nodiscard]] bool holds_back() const { return holds_back_; }

    // --- by control -----------------------------------------------------------------------------
    [[nodiscard]] Counts counts() const;
    // The ring that is received from; null: a TAP.
    [[nodiscard]] const ReceiveRing* ring() const { return ring_.get(); }

  private:
    // A segment of which some frames have not been received yet.
    struct Cutting {
        offload::Cut cut;
        std::span<const uint8_t> octets;  // without the tag beside it
        std::size_t tag_octets = 0;       // that the cut's headers have more
        std::size_t next = 0;
    };

    std::optional<Arrival> look() { return tap_ != nullptr ? tap_->look() : ring_->look(); }
    void give_back() { tap_ != nullptr ? tap_->give_back() : ring_->give_back(); }
    enum class Start : uint8_t { cutting, gone, too_long };
    Start start_cutting(const Arrival& arrival, std::size_t room);
    std::size_t go_on_cutting(std::span<rte_mbuf*> room, rte_mempool* pool);
    bool take_frame(const Arrival& arrival, rte_mbuf*& buffer, rte_mempool* pool);

    std::unique_ptr<ReceiveRing> ring_;
    Tap* tap_ = nullptr;          // in its place
    std::vector<uint8_t> whole_;  // a segment that found no place in the ring
    std::optional<Cutting> cutting_;
    bool holds_back_ = false;
    Counter unread_;  // came without their whole
    Counter unusable_;
    Counter checksums_finished_;
    Counter segments_cut_;
    Counter frames_cut_;
};

}  // namespace sluice::pmd::packet

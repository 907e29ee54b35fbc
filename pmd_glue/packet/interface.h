// Interface: a kernel interface as its port uses it: frames of the wire in and out, by packet
// sockets or as a TAP, with hosts behind it that leave to a network card what they can.
//
// In: the tag is put back in front, with its own type (802.1Q or 802.1ad); a checksum that the host
// left unfinished is finished; a segment longer than the wire takes (TCP over IPv4 and IPv6, UDP)
// is cut into frames. So each frame is charged, paused and counted as on a wire.
// Out: frames of a flow that follow one another leave as a segment where the interface takes that,
// and all frames of a poll in one system call: what `transmit` takes waits for `flush`. A frame
// longer than any that went before is sent at once, since the interface, or the far end of a veth,
// may refuse it for ever. Where the far end takes shorter ones from some moment on, what waits then
// is lost as `refused`; those after it are given up by name.
// `receive` belongs to one thread, and `transmit` to one.
// Bound: a frame is copied once on its way in, a segment twice (the second time out of the cache).
// Limits: the kernel drops what finds no place in its ring (`missed`); Linux hosts obey no pauses.
// `unusable`: what the kernel handed over and cannot be made frames of, such as segments within
// tunnels.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "dataplane/address.h"
#include "dataplane/counters.h"
#include "dataplane/offload/cut.h"
#include "pmd_glue/packet/receive_ring.h"
#include "pmd_glue/packet/sender.h"
#include "pmd_glue/packet/tap.h"

struct rte_mbuf;
struct rte_mempool;

namespace sluice::pmd::packet {

struct InterfaceRequest {
    std::string name;
    std::size_t longest = 1522;  // frame
    unsigned rx_descriptors = 1024;
    unsigned tx_descriptors = 1024;
    bool promiscuous = true;
    bool is_tap = false;  // it is made, and goes with this
};

// What was done in place of a network card.
struct OffloadCounts {
    uint64_t checksums_finished = 0;
    uint64_t segments_cut = 0;  // and the frames that they became
    uint64_t frames_cut = 0;
    uint64_t segments_joined = 0;  // and the frames that they were made of
    uint64_t frames_joined = 0;
};

class Interface {
  public:
    struct Counts {
        uint64_t missed = 0;
        uint64_t unusable = 0;
        uint64_t refused = 0;
        OffloadCounts offloads;
    };

    // The fault is what the kernel refused.
    static tl::expected<std::unique_ptr<Interface>, std::string> open(
        const InterfaceRequest& request);
    ~Interface();
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;

    // --- by its workers -------------------------------------------------------------------------
    std::size_t receive(std::span<rte_mbuf*> buffers, rte_mempool* pool);
    // How many of them were taken, and are freed by and by.
    std::size_t transmit(std::span<rte_mbuf*> frames);
    // Whether the first frame that the last `transmit` left is longer than the interface takes.
    [[nodiscard]] bool gives_up() const { return gives_up_; }
    // Ahead of what waits; whether it was sent, and freed.
    bool transmit_now(rte_mbuf* frame);
    // At the end of a poll.
    void flush() {
        if (waiting_count_ > 0) send_waiting();
    }

    // --- by control -----------------------------------------------------------------------------
    [[nodiscard]] MacAddress address() const { return address_; }
    [[nodiscard]] Counts counts();
    [[nodiscard]] bool is_promiscuous() const { return tap_ || ring_->is_promiscuous(); }
    // Becomes readable as frames arrive.
    [[nodiscard]] int socket() const { return tap_ ? tap_->descriptor() : ring_->socket(); }
    // Of a TAP, which may have been moved to where its name is not known; else null.
    [[nodiscard]] Tap* tap() const { return tap_.get(); }
    // What an operator should know, a line each.
    [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }

  private:
    // A segment of which some frames have not been received yet.
    struct Cutting {
        offload::Cut cut;
        std::span<const uint8_t> octets;  // without the tag beside it
        std::size_t tag_octets = 0;       // that the cut's headers have more
        std::size_t next = 0;
    };

    Interface() = default;
    std::optional<std::string> open_sockets(const InterfaceRequest& request);
    std::optional<std::string> open_tap(const InterfaceRequest& request);
    std::optional<Arrival> look() { return tap_ ? tap_->look() : ring_->look(); }
    void give_back() { tap_ ? tap_->give_back() : ring_->give_back(); }
    enum class Start : uint8_t { cutting, gone, too_long };
    Start start_cutting(const Arrival& arrival, std::size_t room);
    std::size_t go_on_cutting(std::span<rte_mbuf*> room, rte_mempool* pool);
    bool take_frame(const Arrival& arrival, rte_mbuf*& buffer, rte_mempool* pool);

    void send_waiting();

    std::unique_ptr<ReceiveRing> ring_;
    std::unique_ptr<Tap> tap_;  // in its place
    std::unique_ptr<Sender> sender_;
    MacAddress address_;
    std::vector<std::string> notices_;
    std::vector<uint8_t> whole_;  // a segment that found no place in the ring
    std::optional<Cutting> cutting_;
    // --- sending
    std::array<rte_mbuf*, Sender::most_frames> waiting_;
    std::size_t waiting_count_ = 0;
    std::size_t longest_sent_ = 0;  // so long a frame is taken, as far as is known
    bool gives_up_ = false;
    Counter refused_;
    // --- receiving
    Counter unread_;  // came without their whole
    Counter unusable_;
    Counter checksums_finished_;
    Counter segments_cut_;
    Counter frames_cut_;
};

}  // namespace sluice::pmd::packet

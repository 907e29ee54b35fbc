// Interface: a kernel interface as its port uses it. It receives and sends frames of the wire, by
// packet sockets or as a TAP. Hosts on the interface may use all offloads of a network card.
//
// Receiving (receiver.h): tags are inserted again, checksums completed, and segments longer than
// the wire allows (TCP over IPv4 and IPv6, UDP, also in a tunnel of the host's own) cut into
// frames. So each frame is charged, paused and counted as on a wire.
// Sending: consecutive frames of a flow are sent as one segment if the interface accepts segments,
// and all frames of a poll in one system call: frames that `transmit` took wait for `flush`. A
// frame longer than any sent before does not wait: it is sent alone, at once, so that it is still
// the caller's if the interface, or the far end of a veth, refuses it for its length (`gives_up`).
// If the far end's MTU is lowered, waiting frames that are now too long are lost as `refused`;
// later ones are given up with a Drop.
// `receive` of each queue belongs to one thread, and `transmit` to one.
// Limits: the kernel drops frames when its ring is full (`missed`); Linux hosts obey no pauses.
// `unusable` counts packets from the kernel that cannot be cut into frames, such as segments in a
// tunnel inside another tunnel.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "dataplane/types/address.h"
#include "dataplane/types/counters.h"
#include "pmd_glue/packet/receiver.h"
#include "pmd_glue/packet/sender.h"
#include "pmd_glue/packet/tap.h"

struct rte_mbuf;
struct rte_mempool;

namespace sluice::pmd::packet {

struct InterfaceRequest {
    std::string name;
    std::size_t longest = 1522;  // longest frame
    unsigned rx_descriptors = 1024;
    unsigned tx_descriptors = 1024;
    bool promiscuous = true;
    bool is_tap = false;  // makes a TAP, which is removed with the object
    unsigned queues = 1;  // receive queues (fanout.h); a TAP has one
};

// Counts of offloads that the port carried out instead of a network card.
struct OffloadCounts {
    uint64_t checksums_finished = 0;
    uint64_t segments_cut = 0;  // number of segments; frames_cut counts their frames
    uint64_t frames_cut = 0;
    uint64_t segments_joined = 0;  // number of segments; frames_joined counts their frames
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

    // An error names what the kernel refused.
    static tl::expected<std::unique_ptr<Interface>, std::string> open(
        const InterfaceRequest& request);
    ~Interface();
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;

    // --- called by its workers ------------------------------------------------------------------
    std::size_t receive(uint16_t queue, std::span<rte_mbuf*> buffers, rte_mempool* pool) {
        return receivers_[queue]->receive(buffers, pool);
    }
    // Returns `holds_back` of the receiver of the first queue.
    [[nodiscard]] bool holds_back() const { return receivers_.front()->holds_back(); }
    // Returns how many of the frames were accepted; they are freed later.
    std::size_t transmit(std::span<rte_mbuf*> frames);
    // Whether the first frame that the last `transmit` left is longer than the interface accepts.
    [[nodiscard]] bool gives_up() const { return gives_up_; }
    // Sends the frame before frames that wait. Returns whether it was sent, and freed.
    bool transmit_now(rte_mbuf* frame);
    // Sends waiting frames. Called at the end of a poll.
    void flush() {
        if (waiting_count_ > 0) send_waiting();
    }

    // --- called by control ----------------------------------------------------------------------
    [[nodiscard]] MacAddress address() const { return address_; }
    [[nodiscard]] Counts counts() const;
    [[nodiscard]] bool is_promiscuous() const { return is_promiscuous_; }
    // Returns the sockets that become readable when frames arrive.
    [[nodiscard]] std::vector<int> sockets() const;
    // Returns the TAP, which may have been moved to a namespace where its name is unknown; null for
    // packet sockets.
    [[nodiscard]] Tap* tap() const { return tap_.get(); }
    // Notices for the operator, one a line.
    [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }

  private:
    Interface() = default;
    std::optional<std::string> open_sockets(const InterfaceRequest& request);
    std::optional<std::string> open_rings(const InterfaceRequest& request, unsigned index);
    std::optional<std::string> open_tap(const InterfaceRequest& request);
    void send_waiting();

    std::unique_ptr<Tap> tap_;                          // null if packet sockets are used
    std::vector<std::unique_ptr<Receiver>> receivers_;  // one for each queue
    std::unique_ptr<Sender> sender_;
    bool is_promiscuous_ = false;
    MacAddress address_;
    std::vector<std::string> notices_;
    // --- sending
    std::array<rte_mbuf*, Sender::most_frames> waiting_;
    std::size_t waiting_count_ = 0;
    std::size_t longest_sent_ = 0;  // longest frame that was accepted so far
    bool gives_up_ = false;
    Counter refused_;
};

}  // namespace sluice::pmd::packet

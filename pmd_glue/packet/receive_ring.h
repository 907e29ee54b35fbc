// ReceiveRing: the frames that the kernel receives from one interface, in memory shared with this
// process (TPACKET_V2).
//
// The kernel passes the tag, its type and unfinished offloads separately from the frame. A slot
// holds a frame of the port's MTU. A longer packet, such as a segment of 64 KiB, has only its start
// in the slot and is read whole by a system call (`read_whole`), so that the ring fits into the
// cache. Frames that the host itself sends on the interface are left out. Fragments are not
// reassembled: the fanout group does not ask the kernel for that.
// Bound: a frame takes one slot; an empty ring costs one load. Frames that are not taken stay in
// the ring; the kernel drops frames when the ring is full and counts them (`missed`).
// V2 is used since V3 delivers a block only when it is full or a timer of at least 1 ms has
// expired.
// Source: Documentation/networking/packet_mmap.rst.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>

#include "dataplane/types/counters.h"
#include "pmd_glue/nic/packet_socket.h"
#include "pmd_glue/packet/arrival.h"

namespace sluice::pmd::packet {

class ReceiveRing {
  public:
    struct Request {
        unsigned interface_index = 0;
        std::size_t longest = 1522;  // longest frame that a slot must hold
        unsigned places = 1024;      // at least this many slots
        bool promiscuous = true;
        // For rings that share received frames (fanout.h): whether this ring is the first, or the
        // group that it joins.
        bool begins_group = false;
        std::optional<uint16_t> group;
    };

    // An error is the kernel's text, or names what the kernel refused.
    static tl::expected<std::unique_ptr<ReceiveRing>, std::string> open(const Request& request);
    ~ReceiveRing();
    ReceiveRing(const ReceiveRing&) = delete;
    ReceiveRing& operator=(const ReceiveRing&) = delete;

    // --- called by the worker -------------------------------------------------------------------
    // Returns the next frame, which stays the next until `give_back`.
    std::optional<Arrival> look();
    // Reads the whole next frame, at most `room` octets. Returns how many octets were read; 0 if
    // the frame is gone.
    std::size_t read_whole(std::span<uint8_t> room);
    void give_back();

    // --- called by control ----------------------------------------------------------------------
    [[nodiscard]] int socket() const { return socket_.number(); }
    [[nodiscard]] bool is_promiscuous() const { return promiscuous_; }
    // Whether frames that the host sends on the interface are left out.
    [[nodiscard]] bool ignores_outgoing() const { return ignores_outgoing_; }
    [[nodiscard]] std::optional<uint16_t> group() const { return group_; }
    // Returns how many frames the kernel dropped since the ring was opened, because the ring was
    // full.
    [[nodiscard]] uint64_t missed();

  private:
    ReceiveRing() = default;
    std::optional<std::string> set_up(const Request& request);
    [[nodiscard]] uint8_t* place(std::size_t number) const {
        return memory_ + number / per_block_ * block_octets_ + number % per_block_ * place_octets_;
    }

    nic::PacketSocket socket_;
    uint8_t* memory_ = nullptr;
    std::size_t octets_ = 0;
    std::size_t block_octets_ = 0;
    std::size_t place_octets_ = 0;
    std::size_t per_block_ = 1;
    std::size_t places_ = 0;
    std::size_t next_ = 0;
    uint8_t* at_ = nullptr;     // slot of the next frame
    bool waits_apart_ = false;  // the whole frame is in the socket's queue
    bool promiscuous_ = false;
    bool ignores_outgoing_ = false;
    std::optional<uint16_t> group_;
    uint64_t missed_ = 0;  // sum of all readings; the kernel restarts from 0 after each
};

}  // namespace sluice::pmd::packet

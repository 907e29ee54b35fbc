// ReceiveRing: frames that the kernel has received by one interface, in memory that it shares with
// this process (TPACKET_V2).
//
// Each comes with its tag beside it, the tag's type, and what is left to do for it. A place holds a
// frame of the port's MTU; of a longer one, such as a segment of 64 KiB, the start is there and the
// whole is read by a system call (`read_whole`), so that the ring stays as small as the cache is.
// What the host itself sends by the interface is left out. Fragments come as they are: no fanout
// group has the kernel put them together.
// Bound: a frame is one place; an empty ring costs one load. What is not taken stays, and the
// kernel counts what finds no place then (`missed`).
// V2, since V3 hands a block over when it is full or a timer of 1 ms at the least has run out.
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
        std::size_t longest = 1522;  // frame that a place is to hold
        unsigned places = 1024;      // at the least
        bool promiscuous = true;
        // Of several rings that share what arrives (fanout.h): the first, or which group it joins.
        bool begins_group = false;
        std::optional<uint16_t> group;
    };

    // The fault is the kernel's, or names what it refused.
    static tl::expected<std::unique_ptr<ReceiveRing>, std::string> open(const Request& request);
    ~ReceiveRing();
    ReceiveRing(const ReceiveRing&) = delete;
    ReceiveRing& operator=(const ReceiveRing&) = delete;

    // --- by the worker --------------------------------------------------------------------------
    // The next frame; stays the next until `give_back`.
    std::optional<Arrival> look();
    // Reads the next frame as a whole, `room` octets at the most: how many, 0: it is gone.
    std::size_t read_whole(std::span<uint8_t> room);
    void give_back();

    // --- by control -----------------------------------------------------------------------------
    [[nodiscard]] int socket() const { return socket_.number(); }
    [[nodiscard]] bool is_promiscuous() const { return promiscuous_; }
    // Whether frames that the host sends by the interface are left out.
    [[nodiscard]] bool ignores_outgoing() const { return ignores_outgoing_; }
    [[nodiscard]] std::optional<uint16_t> group() const { return group_; }
    // Frames for which there was no place, since it was opened.
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
    uint8_t* at_ = nullptr;     // the place of the next
    bool waits_apart_ = false;  // its whole is in the socket's queue
    bool promiscuous_ = false;
    bool ignores_outgoing_ = false;
    std::optional<uint16_t> group_;
    uint64_t missed_ = 0;  // the kernel starts again from 0 when asked
};

}  // namespace sluice::pmd::packet

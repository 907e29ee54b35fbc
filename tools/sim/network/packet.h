// Packet: a frame in flight, its buffer, and the pool that lends it.
//
// A packet holds the octets that are read, and the length of the whole frame. A flooded frame is
// one packet with several holders; it returns to the pool when all have released it. The pool grows
// to the most packets that were ever in flight and then reuses them, so frames cost no allocation;
// it counts lent packets, and packets returned twice. Reports are lent in the same way, at most one
// for a packet.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"
#include "tools/sim/network/frame_report.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

// The parts of wire_overhead: the preamble before a frame, the FCS and the gap after it.
inline constexpr Bytes preamble{8};
inline constexpr Bytes fcs{4};
inline constexpr Bytes gap = wire_overhead - preamble - fcs;
// Returns the octets on the wire of a frame with FCS.
constexpr Bytes on_wire_of(Bytes frame) { return frame - fcs + wire_overhead; }

// Value of `row` for a frame that no row of results counts, such as a pause frame.
inline constexpr uint16_t no_row = 0xFFFF;
inline constexpr Priority no_priority = 0xFF;

// Members that most frames use are in two cache lines: the header, and the members after it.
struct alignas(64) Packet {
    std::array<uint8_t, 64> octets{};  // the header; later octets are never read
    Packet* next = nullptr;            // next free packet in the pool
    uint64_t serial = 0;               // number of the frame within the flow
    Picos due;                         // time at which the frame was due by the sender's schedule
    Picos begun;                       // time of the first bit on the sender's wire
    FrameReport* report = nullptr;     // telemetry for the sender
    uint32_t flow = 0;                 // number of the flow
    uint32_t holders = 0;
    uint16_t length = 0;  // without FCS
    uint16_t row = no_row;
    Priority priority = 0;
    // The port that received the packet, and the priority whose credit the packet used; only for a
    // receiver with credit.
    PortIndex came_by = 0;
    Priority paid_as = no_priority;
    Asks asks = Asks::nothing;  // answer that the receiver has to send
    bool in_order = false;      // the receiver accepts the packet only in order
    bool again = false;         // the packet was sent before
    bool any_order = false;     // the receiver accepts the packet in any order
    bool trimmed = false;       // a switch trimmed the packet; only its headers are left
    bool needs_pull = false;    // the receiver answers the packet with a pull
    uint8_t csig = 0;           // octets of the CSIG tag
    uint64_t first = 0;         // first serial of the source, if the source resends frames
    Bytes through;  // octets on the wire that the source has sent, with this packet; for reports

    [[nodiscard]] Bytes on_wire() const { return Bytes(length) + wire_overhead; }
    [[nodiscard]] std::span<uint8_t, pause_frame_octets> pause_octets() {
        return std::span(octets).first<pause_frame_octets>();
    }
};
static_assert(offsetof(Packet, first) <= 2 * alignof(Packet), "what most frames use");

class PacketPool {
  public:
    Packet& take() {
        if (free_ == nullptr) [[unlikely]]
            grow();
        Packet& packet = *free_;
        free_ = packet.next;
        ++out_;
        packet.holders = 1;
        packet.row = no_row;
        packet.paid_as = no_priority;
        packet.asks = Asks::nothing;
        packet.in_order = packet.again = packet.any_order = packet.trimmed = false;
        packet.needs_pull = false;
        packet.csig = 0;
        return packet;
    }
    void give(Packet& packet) {
        if (packet.holders == 0) [[unlikely]] {
            ++given_twice_;
        } else if (--packet.holders == 0) {
            if (packet.report != nullptr) [[unlikely]]
                give_report(packet);
            assert(out_ > 0);
            --out_;
            packet.next = free_;
            free_ = &packet;
        }
    }
    // Prepares the report of a frame that is sent now, if the frame requests one.
    void begin_report(Packet& packet, Picos now) {
        if (packet.asks == Asks::nothing) return;
        lend_report(packet);
        *packet.report = {.on_wire = packet.on_wire(),
                          .through = packet.through,
                          .left = now,
                          .serial = packet.serial};
    }
    // Gives another packet a copy of the report.
    void copy_report(Packet& packet, const FrameReport& report) {
        lend_report(packet);
        *packet.report = report;
    }
    static void share(Packet& packet, uint32_t extra) {
        assert(packet.holders > 0);
        packet.holders += extra;
    }
    [[nodiscard]] std::size_t out() const { return out_; }
    [[nodiscard]] std::size_t given_twice() const { return given_twice_; }
    [[nodiscard]] Bytes memory() const {
        return Bytes(static_cast<int64_t>(store_.size() * packets_a_block * sizeof(Packet) +
                                          reports_.size() * sizeof(FrameReport)));
    }

  private:
    static constexpr std::size_t packets_a_block = 16;

    [[gnu::noinline]] void grow() {
        store_.push_back(std::make_unique<Packet[]>(packets_a_block));
        for (Packet& packet : std::span(store_.back().get(), packets_a_block)) {
            packet.next = free_;
            free_ = &packet;
        }
    }
    void lend_report(Packet& packet) {
        if (free_reports_.empty()) free_reports_.push_back(&reports_.emplace_back());
        packet.report = free_reports_.back();
        free_reports_.pop_back();
    }
    [[gnu::noinline]] void give_report(Packet& packet) {
        free_reports_.push_back(packet.report);
        packet.report = nullptr;
    }

    std::vector<std::unique_ptr<Packet[]>> store_;
    Packet* free_ = nullptr;  // the first free packet
    std::size_t out_ = 0;
    std::deque<FrameReport> reports_;
    std::vector<FrameReport*> free_reports_;
    std::size_t given_twice_ = 0;
};

}  // namespace sluice::sim

// Frame: the descriptor of a frame, which the dataplane passes by value. It refers to a buffer of
// the caller (pmd_glue/pool.h) and keeps the fields that later stages need, so that the octets are
// read once, by the parser.
//
// Bound: 24 octets, so that 21 frames and a link fill a chunk of 512. Not kept: addresses and
// EtherType, which are not needed once the outputs are known.
#pragma once

#include <cassert>
#include <cstdint>
#include <type_traits>

#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

// The account that a queued frame is charged to: the reserve of its VOQ or the shared pool, which
// drop frames without room; or its (input, priority) group, which pauses the peer instead.
// `bypassing` and `handed_over` frames use no VOQ and no account (fabric/handoff.h).
enum class Account : uint8_t { voq_reserved, voq_shared, group, bypassing, handed_over };

// The value of `network_offset` of a frame that is queued for several outputs. These outputs share
// the frame's octets, so no code may write to the octets.
inline constexpr uint8_t shared_octets = 0xFF;

// Members have no defaults, so that an array of frames costs nothing before it is filled. `Frame{}`
// is all zeros.
struct Frame {
    void* handle;     // the owner's buffer, opaque to the dataplane
    uint8_t* data;    // first octet of the destination address
    uint16_t length;  // octets, FCS not counted
    VlanId vlan;      // VLAN that the frame is bridged in; 0 until parsed. Above bit 11: see tag.h
    PortIndex input : 6;       // port that received the frame; during bridging, the bridge port
    uint8_t latency_mark : 2;  // the measurement when the frame leaves (latency/latency.h); 0: none
    Priority priority;
    uint8_t network_offset;  // offset of the IP header; 0: none; or shared_octets
    Account account;

    constexpr void set_input(PortIndex port) {
        assert(port < max_ports);
        input = port & (max_ports - 1);
    }
    [[nodiscard]] constexpr Bytes size() const { return Bytes(length); }
    [[nodiscard]] constexpr bool is_shared() const { return network_offset == shared_octets; }
    // Returns whether the frame has an IP header that may be written to.
    [[nodiscard]] constexpr bool has_network() const { return network_offset != 0 && !is_shared(); }
};

static_assert(sizeof(Frame) == 24);
static_assert(max_ports <= 1U << 6);
static_assert(std::is_trivial_v<Frame>);

}  // namespace sluice

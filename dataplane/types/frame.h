// Frame: the descriptor of a frame, which the dataplane passes by value. It refers to a buffer of
// the caller (pmd_glue/pool.h) and keeps the fields that later stages need, so that the octets are
// read once, by the parser.
//
// Bound: 24 octets, so that 21 of them and a link fill 512. Not kept: addresses and EtherType,
// which are not needed once the outputs are known.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

// Which account a frame is charged to while it waits in a VOQ: its VOQ's reserve or the shared
// pool, where it may be dropped; or its (input, priority) group, where the peer is paused instead.
// None if it takes no VOQ: because it bypasses the VOQs, or is handed over (fabric/handoff.h).
enum class Account : uint8_t { voq_reserved, voq_shared, group, bypassing, handed_over };

// The value of `network_offset` of a frame that is queued for several outputs: they share its
// octets, so none of them may write there.
inline constexpr uint8_t shared_octets = 0xFF;

// No member has a default, so that an array of frames costs nothing until it is filled; `Frame{}`
// is all zeros.
struct Frame {
    void* handle;              // the owner's buffer; never looked into
    uint8_t* data;             // first octet of the destination address
    uint16_t length;           // octets, FCS not counted
    VlanId vlan;               // the VLAN it is bridged in; 0 until parsed. Above bit 11: see tag.h
    PortIndex input : 6;       // the port that it came by; while it is bridged, its bridge port
    uint8_t latency_mark : 2;  // what is noted as it leaves (latency/latency.h); 0: nothing
    Priority priority;
    uint8_t network_offset;  // octet at which an IP header starts; 0: none; or shared_octets
    Account account;

    constexpr void set_input(PortIndex port) {
        assert(port < max_ports);
        input = port & (max_ports - 1);
    }
    [[nodiscard]] constexpr Bytes size() const { return Bytes(length); }
    [[nodiscard]] constexpr bool is_shared() const { return network_offset == shared_octets; }
    // An IP header that may be written to.
    [[nodiscard]] constexpr bool has_network() const { return network_offset != 0 && !is_shared(); }
};

static_assert(sizeof(Frame) == 24);
static_assert(max_ports <= 1U << 6);
static_assert(std::is_trivial_v<Frame>);

}  // namespace sluice

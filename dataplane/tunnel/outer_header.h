// OuterHeader: the parts that the outer headers of all kinds of tunnel share.
//
// Each kind of tunnel makes its headers once, up to `most_outer_octets` (the room before a frame,
// pmd_glue/pool.h), and patches a few octets for each frame. OuterMarks has the fields that depend
// on the frame's priority, FrameMarks those that depend on the single frame.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dataplane/types/address.h"
#include "dataplane/types/ip_address.h"
#include "dataplane/types/limits.h"

namespace sluice {

inline constexpr std::size_t most_outer_octets = 128;
inline constexpr std::size_t outer_type = 12;
inline constexpr std::size_t outer_network = 14;    // offset of the IP header in an untagged frame
inline constexpr std::size_t outer_tag_octets = 4;  // 802.1Q tag, before the type
inline constexpr uint8_t outer_hop_limit = 64;
inline constexpr std::size_t ipv6_header_octets = 40;  // without extension headers (RFC 8200 3)
inline constexpr uint8_t ipv6_fragment_header = 44;    // as next header (RFC 8200 4.5)

// The DSCP of the outer header, by priority; by default the class selectors (RFC 2474 4.2.2).
using OuterDscps = std::array<uint8_t, max_priorities>;
inline constexpr OuterDscps class_selectors = {0, 8, 16, 24, 32, 40, 48, 56};
// The traffic class of MPLS, once called EXP (RFC 5462), by priority; by default the priority.
using OuterTcs = std::array<uint8_t, max_priorities>;
inline constexpr OuterTcs own_numbers = {0, 1, 2, 3, 4, 5, 6, 7};
// The PCP of the outer tag, if there is one, by priority.
using OuterPcps = std::array<uint8_t, max_priorities>;

struct OuterMarks {
    OuterDscps dscps = class_selectors;
    OuterTcs tcs = own_numbers;
    OuterPcps pcps = own_numbers;

    friend constexpr bool operator==(const OuterMarks&, const OuterMarks&) = default;
};

struct FrameMarks {
    std::size_t carried = 0;  // octets of the carried frame
    uint64_t flow = 0;        // hash of the frame's flow
    uint8_t tos = 0;          // DSCP and ECN, as in an IP header
    uint8_t tc = 0;           // traffic class of MPLS
};

// Returns the 20-bit identifier of a flow, for the flow label of IPv6 (RFC 6437: not 0) or the
// entropy label of MPLS (RFC 6790: not one of the 16 reserved labels).
constexpr uint32_t label_of(uint64_t flow) {
    constexpr uint64_t reserved = 16;
    constexpr uint64_t free = (uint64_t{1} << 20) - reserved;
    return static_cast<uint32_t>(reserved + ((flow >> 32) * free >> 32));
}

// Writes the fields of an IPv6 header that depend on the frame: version, traffic class, flow label,
// and payload length.
inline void write_ipv6_start(uint8_t* ip, const FrameMarks& marks, std::size_t behind) {
    write_32(ip, 6U << 28 | uint32_t{marks.tos} << 20 | label_of(marks.flow));
    write_16(ip + 4, static_cast<uint16_t>(behind));
}

// The addresses of the port below tunnels; 0: no address of that version. `vlan`: the VLAN of these
// addresses, whose tag all tunnel frames of the port have; 0: no tag.
struct UnderlayAddresses {
    MacAddress mac = {};
    Ipv4Address ipv4 = {};
    Ipv6Address ipv6 = {};
    uint16_t vlan = 0;

    friend constexpr bool operator==(const UnderlayAddresses&, const UnderlayAddresses&) = default;
};

}  // namespace sluice

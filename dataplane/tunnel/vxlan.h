// Vxlan: the layout of RFC 7348 over IPv4, and what names a tunnel.
//
//   0  Ethernet II, no tag      14 octets
//  14  IPv4, no options         20
//  34  UDP to port 4789          8
//  42  VXLAN: flags, VNI         8
//  50  the frame that is carried, from its destination address on, without FCS
//
// Not here: IPv6 below, and outer tags.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/address.h"
#include "dataplane/limits.h"

namespace sluice {

inline constexpr uint16_t vxlan_port = 4789;
inline constexpr uint32_t highest_vni = 0xFFFFFF;
inline constexpr std::size_t vxlan_octets = 50;

// Where the parts of it begin, and how long they are.
namespace vxlan_layout {
inline constexpr std::size_t outer_type = 12;
inline constexpr std::size_t outer_ip = 14;
inline constexpr std::size_t bare_ip = 20;  // octets of an IPv4 header without options
inline constexpr std::size_t udp_header = 8;
inline constexpr std::size_t vxlan_header = 8;
inline constexpr uint8_t vni_is_valid = 0x08;  // the I flag
}  // namespace vxlan_layout

static_assert(vxlan_layout::outer_ip + vxlan_layout::bare_ip + vxlan_layout::udp_header +
                  vxlan_layout::vxlan_header ==
              vxlan_octets);

// A tunnel goes from one address to another, and carries one virtual network.
struct VxlanEnds {
    MacAddress own;
    Ipv4Address local;
    Ipv4Address remote;
    uint32_t vni = 0;  // 1 to highest_vni
};

// The DSCP of the outer header, by priority.
using OuterDscps = std::array<uint8_t, max_priorities>;
// The class selectors (RFC 2474 4.2.2).
inline constexpr OuterDscps class_selectors = {0, 8, 16, 24, 32, 40, 48, 56};

// Octet at which the IP header of a carried frame starts, behind up to two tags; 0: none that is
// whole. Reads within `octets`.
std::size_t network_offset_of(std::span<const uint8_t> octets);

}  // namespace sluice

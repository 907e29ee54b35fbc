// The layout of ARP (RFC 826, for Ethernet and IPv4) and of neighbour discovery (RFC 4861 4.3 and
// 4.4, in IPv6). Offsets count from the octet after the EtherType.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sluice {

namespace arp {
inline constexpr std::size_t octets = 28;
inline constexpr uint32_t ethernet_and_ipv4 = 0x0001'0800;  // types of hardware and protocol
inline constexpr uint16_t address_lengths = 0x0604;
inline constexpr std::size_t lengths = 4;
inline constexpr std::size_t operation = 6;
inline constexpr std::size_t sender = 8;  // the sender's MAC address, then its IP address
inline constexpr std::size_t sender_ip = 14;
inline constexpr std::size_t target = 18;
inline constexpr std::size_t target_ip = 24;
inline constexpr uint16_t request = 1;
inline constexpr uint16_t reply = 2;
}  // namespace arp

namespace nd {
inline constexpr std::size_t next_header = 6;
inline constexpr std::size_t hop_limit = 7;
inline constexpr std::size_t source = 8;
inline constexpr std::size_t destination = 24;
inline constexpr std::size_t icmp_header = 40;
inline constexpr std::size_t code = icmp_header + 1;
inline constexpr std::size_t checksum = icmp_header + 2;
inline constexpr std::size_t flags = icmp_header + 4;
inline constexpr std::size_t target = icmp_header + 8;
inline constexpr std::size_t options = target + 16;  // options; also the shortest length
inline constexpr uint8_t icmpv6 = 58;
inline constexpr uint8_t from_the_link = 255;  // hop limit of a packet that no router forwarded
inline constexpr uint8_t solicitation = 135;
inline constexpr uint8_t advertisement = 136;
inline constexpr uint8_t is_router = 0x80;
inline constexpr uint8_t is_solicited = 0x40;
inline constexpr uint8_t is_override = 0x20;
}  // namespace nd

}  // namespace sluice

// Parse: reads the headers of a frame once, and returns none or why the frame is dropped.
//
// There is one parser for standard Ethernet, and one for any configured format (format.h). Both
// give the same result for the format of standard Ethernet; the first is faster. The second does
// not recognise control frames: call `control_of` before it.
//
// Parses untagged frames, one or two tags (802.1Q 0x8100, 802.1ad 0x88A8), IPv4 and IPv6. Every
// read is inside the frame. The outer tag gives VLAN and PCP; a second tag is skipped to find IP. A
// frame whose IP version or IHL is invalid passes as plain Ethernet.
// Not here: MTU and VLAN membership (they depend on the port), checksums, IP extension headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/ingress/format.h"
#include "dataplane/types/address.h"
#include "dataplane/types/drops.h"
#include "dataplane/types/limits.h"

namespace sluice {

struct Headers {
    MacAddress destination;
    MacAddress source;
    uint16_t ether_type = 0;  // EtherType after the tags; below 1536 it is a length (802.3)
    VlanId vlan = 0;          // VLAN of the outer tag; 0: untagged or priority-tagged
    bool tagged = false;
    uint8_t pcp = 0;             // PCP of the outer tag
    uint8_t network_offset = 0;  // octet at which the IP header starts; 0: not IP
    uint8_t dscp = 0;
    uint8_t traffic_class = 0;  // 0 if the format has none
};

inline constexpr uint16_t ipv4_ether_type = 0x0800;
inline constexpr uint16_t arp_ether_type = 0x0806;
inline constexpr uint16_t ipv6_ether_type = 0x86DD;
inline constexpr uint16_t lldp_ether_type = 0x88CC;

// Control frames that a port consumes, whatever its format. They are recognised by the whole
// destination and the EtherType.
enum class Control : uint8_t { none, mac_control, lldp };
Control control_of(std::span<const uint8_t> octets);

// The ports of TCP or UDP after an IP header.
struct Transport {
    uint8_t protocol = 0;  // 6 or 17; 0: another protocol, a later fragment, or a short header
    bool fragment = false;
    uint16_t source_port = 0;
    uint16_t destination_port = 0;
};
inline constexpr uint8_t tcp_protocol = 6;
inline constexpr uint8_t udp_protocol = 17;
Transport transport_of(std::span<const uint8_t> octets, std::size_t network_offset);

// RoCEv2: UDP to port 4791, except in a later fragment. The UDP checksum, often a constant, is not
// checked. A frame that ends before the UDP port is not RoCEv2.
bool is_roce(std::span<const uint8_t> octets, const Headers& headers);

// Parses the IP header at octet `at`, if the EtherType of `headers` is one of IP.
Drop parse_network(std::span<const uint8_t> octets, std::size_t at, Headers& headers);

// Returns Drop::none, runt, truncated_tag, truncated_ip or group_source.
Drop parse(std::span<const uint8_t> octets, Headers& headers);
// Parses a frame of `format`. If the format has ids, `destination` is the id; a group's id gets the
// group bit of a MacAddress. Returns also afh_gen2_32b, afh_gen2_16b or ttl_expired.
Drop parse(const Format& format, std::span<const uint8_t> octets, Headers& headers);

}  // namespace sluice

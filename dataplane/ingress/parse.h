// Parse: reads the headers of a frame once, and returns whether the frame may go on.
//
// There is one parser for standard Ethernet, and one for any described format (format.h). For the
// description of standard Ethernet both give the same result; the first is faster. The second does
// not recognise control frames: call `control_of` before it.
//
// Understands untagged frames, one or two tags (802.1Q 0x8100, 802.1ad 0x88A8), IPv4 and IPv6.
// Every read is inside the frame. The outer tag gives VLAN and PCP; behind it one more tag is
// stepped over to find IP. A frame whose IP version or IHL is invalid passes as plain Ethernet.
// Not done here: MTU and VLAN membership (they depend on the port), checksums, IP extension
// headers.
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
    uint16_t ether_type = 0;  // behind the tags; below 1536 it is a length (802.3)
    VlanId vlan = 0;          // of the outer tag; 0: none, or priority-tagged
    bool tagged = false;
    uint8_t pcp = 0;             // of the outer tag
    uint8_t network_offset = 0;  // octet at which the IP header starts; 0: not IP
    uint8_t dscp = 0;
    uint8_t traffic_class = 0;  // where the format has one
};

inline constexpr uint16_t ipv4_ether_type = 0x0800;
inline constexpr uint16_t arp_ether_type = 0x0806;
inline constexpr uint16_t ipv6_ether_type = 0x86DD;
inline constexpr uint16_t lldp_ether_type = 0x88CC;

// Frames that end at the port that receives them, whatever the port's format: recognised by the
// full destination and the EtherType.
enum class Control : uint8_t { none, mac_control, lldp };
Control control_of(std::span<const uint8_t> octets);

// The ports of TCP or UDP behind an IP header.
struct Transport {
    uint8_t protocol = 0;  // 6 or 17; 0: neither, a later fragment, or ends before the ports do
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

// Parses the IP header at octet `at`, if the EtherType of `headers` announces one.
Drop parse_network(std::span<const uint8_t> octets, std::size_t at, Headers& headers);

// Drop::none, or why the frame ends here: runt, truncated_tag, truncated_ip or group_source.
Drop parse(std::span<const uint8_t> octets, Headers& headers);
// For formats with ids, `destination` is the id; a group's has the group bit of a MacAddress.
// Further results: afh_gen2_32b, afh_gen2_16b and ttl_expired.
Drop parse(const Format& format, std::span<const uint8_t> octets, Headers& headers);

}  // namespace sluice

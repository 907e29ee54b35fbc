// Parse: reads the headers of an Ethernet frame once, and says whether it may go on.
//
// Understands untagged frames, one or two tags (802.1Q 0x8100, 802.1ad 0x88A8), IPv4 and IPv6.
// Every read is inside the frame. The outer tag gives VLAN and PCP; behind it one more tag is
// stepped over to find IP. A frame whose version or IHL is not IP's own passes as plain Ethernet.
// Not done here: MTU and VLAN membership (they are the port's), checksums, IP extension headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/address.h"
#include "dataplane/drops.h"
#include "dataplane/limits.h"

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
};

// Drop::none, or why the frame ends here: runt, truncated_tag, truncated_ip or group_source.
Drop parse(std::span<const uint8_t> octets, Headers& headers);

}  // namespace sluice

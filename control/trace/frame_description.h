// Frame description: a standard Ethernet frame described in words, parsed into octets:
//
//   eth src 02:00:00:00:00:01 dst 02:00:00:00:00:02 vlan 10 pcp 3 type 0x0800 dscp 26 length 100
//
// The words after `eth` may be in any order; `src` and `dst` are required. `vlan` or `pcp` adds a
// tag (TPID 0x8100, or 0x88A8 with `service`). `dscp` adds an IPv4 header, or an IPv6 header if
// the type is 0x86DD; `udp PORT` or `tcp PORT` a UDP or TCP header with that destination port.
// `length` is in octets without FCS, 60 by default, and not shorter than the headers.
// Bound: 9,600 octets; nothing throws.
// The words are those of tcpdump's filters or of Open vSwitch flows, as far as these have such
// words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace sluice::control {

// Returns the octets of the frame without FCS. An error describes what is wrong and what is
// allowed.
tl::expected<std::vector<uint8_t>, std::string> parse_frame(std::string_view description);

}  // namespace sluice::control

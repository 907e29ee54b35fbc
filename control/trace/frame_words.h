// Frame words: a frame of standard Ethernet, described in words, as octets:
//
//   eth src 02:00:00:00:00:01 dst 02:00:00:00:00:02 vlan 10 pcp 3 type 0x0800 dscp 26 length 100
//
// In any order behind `eth`; `src` and `dst` have to be there. `vlan` or `pcp` puts a tag in front
// (0x8100, or 0x88A8 with `service`). `dscp` makes an IPv4 header, or one of IPv6 if the type says
// so, of UDP if `udp` or of TCP if `tcp` names a port that it goes to. `length` is without FCS, 60
// unless said, and no shorter than what is in it.
// Bound: 9,600 octets. Nothing is thrown.
// Follows the words of tcpdump's filters and OVS' flows where they have some.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace sluice::control {

// Or what is wrong, and what would be right.
tl::expected<std::vector<uint8_t>, std::string> frame_of(std::string_view words);

}  // namespace sluice::control

// Cut packet: computes and writes the rest of a frame that is trimmed (UEC 4.1; NDP, SIGCOMM 2017):
// its first octets, with another DSCP and the new IP length. These octets inform the receiver that
// the payload of this packet was lost.
//
// `size` octets are kept, or more if the headers need them: the IP header with its options, then 24
// octets for UDP, 20 for any other protocol, and for VXLAN also the inner headers: 74 octets over
// IPv4, 94 over IPv6. The total length and checksum of IPv4, or the payload length of IPv6, are
// rewritten; ECN stays. Length and checksum of UDP stay unchanged and so are wrong afterwards:
// receivers of trimmed packets ignore them.
// Bound: reads only headers, and writes six octets.
// Not done here: choosing the frames (trimmer.h), the buffer's length (released.h). Fragments,
// jumbograms, packets whose lengths contradict the frame, and frames that would not become shorter
// are never cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

// Returns the number of octets that remain of a frame whose IP header starts at octet `network`; 0:
// the frame cannot be trimmed.
uint16_t length_when_cut(std::span<const uint8_t> frame, std::size_t network, std::size_t size);
// Rewrites the headers in the octets that `length_when_cut` keeps.
void write_cut_headers(std::span<uint8_t> kept, std::size_t network, uint8_t dscp);

}  // namespace sluice

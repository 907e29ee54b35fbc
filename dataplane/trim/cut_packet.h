// Cut packet: what is left of a frame whose packet is trimmed (UEC 4.1; NDP, SIGCOMM 2017): its
// first octets, with another DSCP, and with the length of IP that it has now. The receiver sees by
// these that the payload was lost, and which.
//
// Kept are `size` octets, and more where the headers need them: the IP header with its options, and
// behind it 24 octets for UDP, 20 for any other protocol, and for VXLAN the inner headers as well,
// which takes 74 over IPv4 and 94 over IPv6. The total length and checksum of IPv4 are written, the
// payload length of IPv6; ECN stays. Length and checksum of UDP stay as they came, so they do not
// fit any more: a receiver of trimmed packets does not look at them.
// Bound: reads headers alone, and writes six octets.
// Not done here: which frames are trimmed (trimmer.h), the buffer's length (released.h). Never cut
// are fragments, jumbograms and packets whose lengths contradict the frame, as well as frames that
// would not get shorter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

// The octets that stay of a frame whose IP header starts at octet `network`, as parse found it; 0:
// it cannot be trimmed.
uint16_t length_when_cut(std::span<const uint8_t> frame, std::size_t network, std::size_t size);
// Writes the headers of what `length_when_cut` says stays.
void write_cut_headers(std::span<uint8_t> kept, std::size_t network, uint8_t dscp);

}  // namespace sluice

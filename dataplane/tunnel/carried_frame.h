// CarriedFrame: handling of the frame inside a tunnel, for all kinds of tunnel: finding its IP
// header, and taking it out.
//
// ECN of both headers becomes the carried one's, in place (RFC 6040 4.2); where that has no IP
// header, the outer one's says nothing. A frame of a link with retry (retry/retry_shim.h) has the
// IP header of the frame that it has in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/tunnel/arrival.h"
#include "dataplane/tunnel/tunnel_ecn.h"

namespace sluice {

// The octet at which the IP header of a carried frame starts, behind up to two tags; 0: there is no
// whole IP header. Reads within `octets`.
std::size_t network_offset_of(std::span<const uint8_t> octets);
// Octets before the frame that a frame of retry has in it; 0: it is no such frame.
std::size_t retry_octets_of(std::span<const uint8_t> octets);

// Where the carried frame lies inside the received one.
struct CarriedAt {
    std::size_t offset = 0;
    std::size_t length = 0;
};

// The carried frame comes out of `tunnel`, or is refused: it is too short, or met congestion and
// cannot be marked.
Arrival take_out(std::span<uint8_t> octets, const CarriedAt& at, EcnField outer, uint8_t tunnel);

}  // namespace sluice

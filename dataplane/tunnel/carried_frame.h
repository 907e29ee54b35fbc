// CarriedFrame: what is asked of the frame inside a tunnel, whatever carries it: where its IP
// header is, and how it comes out.
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

// Octet at which the IP header of a carried frame starts, behind up to two tags; 0: none that is
// whole. Reads within `octets`.
std::size_t network_offset_of(std::span<const uint8_t> octets);
// Octets before the frame that a frame of retry has in it; 0: it is no such frame.
std::size_t retry_octets_of(std::span<const uint8_t> octets);

// Where in a frame the carried one lies, which is inside of it.
struct CarriedAt {
    std::size_t offset = 0;
    std::size_t length = 0;
};

// It comes out of `tunnel`, or is refused: too short, or congested and not to be marked.
Arrival take_out(std::span<uint8_t> octets, const CarriedAt& at, EcnField outer, uint8_t tunnel);

}  // namespace sluice

// CarriedFrame: finds the IP header of the frame inside a tunnel, and takes the frame out, for all
// kinds of tunnel.
//
// The ECN of both headers is combined in the carried frame, in place (RFC 6040 4.2). If the carried
// frame has no IP header, the outer ECN is ignored. If the carried frame begins with a retry header
// (retry/retry_shim.h), the IP header is that of the frame after the retry header.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/tunnel/arrival.h"
#include "dataplane/tunnel/tunnel_ecn.h"

namespace sluice {

// Returns the offset of a frame's IP header, after up to two tags; 0 if there is no complete IP
// header. Reads within `octets`.
std::size_t network_offset_of(std::span<const uint8_t> octets);
// Returns the length of a frame's retry header; 0 if it has none.
std::size_t retry_octets_of(std::span<const uint8_t> octets);

// The position of the carried frame in the received one.
struct CarriedAt {
    std::size_t offset = 0;
    std::size_t length = 0;
};

// Returns the carried frame as one of `tunnel`; or a refusal if it is too short, or has to be
// marked CE and is not ECN-capable.
Arrival take_out(std::span<uint8_t> octets, const CarriedAt& at, EcnField outer, uint8_t tunnel);

}  // namespace sluice

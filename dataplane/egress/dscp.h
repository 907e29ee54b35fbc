// Reads and writes the DSCP of an IPv4 or IPv6 header (RFC 2474). Writing updates the checksum of
// IPv4. ECN stays unchanged.
#pragma once

#include <cstdint>

#include "dataplane/egress/ipv4_checksum.h"
#include "dataplane/types/address.h"

namespace sluice {

constexpr bool is_ipv4(const uint8_t* network) { return network[0] >> 4 == 4; }

inline uint8_t dscp_of(const uint8_t* network) {
    const uint16_t word = read_16(network);
    return static_cast<uint8_t>((is_ipv4(network) ? word >> 2 : word >> 6) & 0x3F);
}

inline void write_dscp(uint8_t* network, uint8_t dscp) {
    const bool version_4 = is_ipv4(network);
    const uint16_t before = read_16(network);
    const auto after = static_cast<uint16_t>(version_4 ? (before & ~0x00FC) | dscp << 2
                                                       : (before & ~0x0FC0) | dscp << 6);
    if (before == after) return;
    write_16(network, after);
    if (version_4) replace_in_ipv4_checksum(network, before, after);
}

}  // namespace sluice

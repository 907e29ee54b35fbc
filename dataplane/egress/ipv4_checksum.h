// Updates the checksum of an IPv4 header for one word that changed, without reading the rest: HC' =
// ~(~HC + ~m + m'), in ones' complement (RFC 1624 equation 3).
#pragma once

#include <cstddef>
#include <cstdint>

#include "dataplane/types/address.h"

namespace sluice {

inline void replace_in_ipv4_checksum(uint8_t* network, uint16_t before, uint16_t after) {
    constexpr std::size_t checksum_offset = 10;
    uint8_t* const checksum = network + checksum_offset;
    const auto inverse = [](uint16_t word) { return static_cast<uint32_t>(word ^ 0xFFFF); };
    uint32_t sum = inverse(read_16(checksum)) + inverse(before) + after;
    sum = (sum & 0xFFFF) + (sum >> 16);
    sum = (sum & 0xFFFF) + (sum >> 16);
    write_16(checksum, static_cast<uint16_t>(inverse(static_cast<uint16_t>(sum))));
}

}  // namespace sluice

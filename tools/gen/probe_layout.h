// Probe layout: the offsets of the fields of a probe (probe.h), and the writing of numbers in
// network byte order.
// Not here: the values.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/tag.h"

namespace sluice::gen::layout {

inline constexpr std::size_t number_offset = 3;  // of the number in a MAC address (probe.h)
inline constexpr std::size_t ip_offset = 18;
inline constexpr std::size_t ip_octets = 20;
inline constexpr std::size_t udp_octets = 8;
inline constexpr std::size_t sequence_offset = 46;
inline constexpr std::size_t time_offset = 54;
inline constexpr std::size_t time_octets = 6;

// Offsets from the start of the IP header.
inline constexpr std::size_t tos_field = 1;
inline constexpr std::size_t total_length_field = 2;
inline constexpr std::size_t identification_field = 4;
inline constexpr std::size_t time_to_live_field = 8;
inline constexpr std::size_t protocol_field = 9;
inline constexpr std::size_t checksum_field = 10;
inline constexpr std::size_t source_field = 12;
inline constexpr std::size_t destination_field = 16;
inline constexpr std::size_t udp_field = 20;
inline constexpr std::size_t payload_field = 28;
static_assert(ip_offset + payload_field == sequence_offset);

inline constexpr uint16_t vlan_ether_type = ether_type_of(TagType::customer);
inline constexpr uint16_t ip_ether_type = 0x0800;
inline constexpr uint32_t udp_ports = 21324U << 16 | 9U;
// An IP address: the network 198.18.0.0/15, a number of 10 bits, port + 1.
inline constexpr uint32_t network = 198U << 24 | 18U << 16;
inline constexpr uint32_t number_shift = 7;
inline constexpr uint32_t number_bits = 0x3FFU << number_shift;
static_assert(max_ports < 1U << number_shift && (network & number_bits) == 0);
static_assert(destination_field == source_field + 4 && std::has_single_bit(max_ports));
constexpr uint64_t twice(uint32_t value) { return uint64_t{value} << 32 | value; }
constexpr uint32_t bits_of_number(uint32_t number) { return number << number_shift & number_bits; }

inline void write_64(uint8_t* octets, uint64_t value) {
    value = __builtin_bswap64(value);
    std::memcpy(octets, &value, sizeof value);
}
inline uint64_t read_64(const uint8_t* octets) {
    uint64_t value = 0;
    std::memcpy(&value, octets, sizeof value);
    return __builtin_bswap64(value);
}

}  // namespace sluice::gen::layout

// MacAddress: 48 bits in a word; the first octet on the wire is the most significant. Ipv4Address:
// 32 bits in the same order.
#pragma once

#include <compare>
#include <cstdint>
#include <cstring>

namespace sluice {

struct MacAddress {
    uint64_t bits = 0;  // the upper 16 bits are 0

    friend constexpr auto operator<=>(MacAddress, MacAddress) = default;
    [[nodiscard]] constexpr bool is_group() const { return (bits >> 40 & 1) != 0; }
    // Returns whether the address is 01-80-C2-00-00-00 to -0F, which no bridge forwards
    // (802.1Q-2018 table 8-1).
    [[nodiscard]] constexpr bool is_reserved() const { return bits >> 4 == 0x0180C200000; }
};

struct Ipv4Address {
    uint32_t bits = 0;

    friend constexpr auto operator<=>(Ipv4Address, Ipv4Address) = default;
};

inline constexpr MacAddress mac_control_address{0x0180C2000001};
inline constexpr MacAddress broadcast_address{0xFFFFFFFFFFFF};
inline constexpr MacAddress bridge_group_address{0x0180C2000000};  // destination of BPDUs
inline constexpr MacAddress lldp_address{0x0180C200000E};
inline constexpr MacAddress slow_protocols_address{0x0180C2000002};  // 802.3 57A

inline constexpr uint16_t slow_protocols_ether_type = 0x8809;

// Reads exactly six octets of a frame.
inline MacAddress read_address(const uint8_t* octets) {
    uint32_t high = 0;
    uint16_t low = 0;
    std::memcpy(&high, octets, sizeof high);
    std::memcpy(&low, octets + sizeof high, sizeof low);
    return {uint64_t{__builtin_bswap32(high)} << 16 | __builtin_bswap16(low)};
}
inline void write_address(uint8_t* octets, MacAddress address) {
    const uint64_t word = __builtin_bswap64(address.bits << 16);
    std::memcpy(octets, &word, 6);
}
inline uint16_t read_16(const uint8_t* octets) {
    return static_cast<uint16_t>(octets[0] << 8 | octets[1]);
}
inline void write_16(uint8_t* octets, uint16_t value) {
    octets[0] = static_cast<uint8_t>(value >> 8);
    octets[1] = static_cast<uint8_t>(value);
}

inline uint32_t read_32(const uint8_t* octets) {
    uint32_t value = 0;
    std::memcpy(&value, octets, sizeof value);
    return __builtin_bswap32(value);
}
inline void write_32(uint8_t* octets, uint32_t value) {
    value = __builtin_bswap32(value);
    std::memcpy(octets, &value, sizeof value);
}

}  // namespace sluice

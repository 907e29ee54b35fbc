// Ipv6Address: 16 octets in wire order. IpAddress: an address of either version.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <variant>

#include "dataplane/types/address.h"

namespace sluice {

struct Ipv6Address {
    std::array<uint8_t, 16> octets{};

    friend constexpr auto operator<=>(const Ipv6Address&, const Ipv6Address&) = default;
    // Compares words, because the compiler would call memcmp for octets.
    friend constexpr bool operator==(const Ipv6Address& a, const Ipv6Address& b) {
        using Words = std::array<uint64_t, 2>;
        const auto [a_high, a_low] = std::bit_cast<Words>(a.octets);
        const auto [b_high, b_low] = std::bit_cast<Words>(b.octets);
        return ((a_high ^ b_high) | (a_low ^ b_low)) == 0;
    }
};

using IpAddress = std::variant<Ipv4Address, Ipv6Address>;

inline Ipv6Address read_ipv6(const uint8_t* octets) {
    Ipv6Address address;
    std::copy_n(octets, address.octets.size(), address.octets.begin());
    return address;
}
inline void write_ipv6(uint8_t* octets, const Ipv6Address& address) {
    std::ranges::copy(address.octets, octets);
}

}  // namespace sluice

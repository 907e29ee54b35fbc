// TunnelEcn: ECN across a tunnel (RFC 6040). Encapsulation copies the inner header's ECN to the
// outer header (normal mode, 4.1); decapsulation combines both (4.2, figure 4).
#pragma once

#include <cstdint>
#include <optional>

#include "dataplane/egress/ipv4_checksum.h"
#include "dataplane/types/address.h"

namespace sluice {

// RFC 3168 5.
enum class EcnField : uint8_t { not_ect, ect_1, ect_0, ce };

// Returns the ECN field of the IPv4 or IPv6 header at `network`.
inline EcnField read_ecn(const uint8_t* network) {
    const int octet = network[0] >> 4 == 4 ? network[1] : network[1] >> 4;
    return static_cast<EcnField>(octet & 3);
}

inline void write_ecn(uint8_t* network, EcnField ecn) {
    const auto bits = static_cast<unsigned>(ecn);
    const uint16_t before = read_16(network);
    if (network[0] >> 4 == 4) {
        network[1] = static_cast<uint8_t>((network[1] & ~3U) | bits);
        replace_in_ipv4_checksum(network, before, read_16(network));
    } else {
        network[1] = static_cast<uint8_t>((network[1] & ~0x30U) | bits << 4);
    }
}

// Returns the ECN of a frame after decapsulation; none if the frame has to be dropped, since it has
// to be marked CE and is not ECN-capable.
constexpr std::optional<EcnField> ecn_out_of_tunnel(EcnField inner, EcnField outer) {
    using enum EcnField;
    if (outer == ce) return inner == not_ect ? std::nullopt : std::optional(ce);
    if (outer == ect_1 && inner == ect_0) return ect_1;
    return inner;
}

}  // namespace sluice

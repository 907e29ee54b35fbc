// Membership octets: frames of IGMP and MLD for tests, with their checksums. Groups are written as
// numbers: 0xE1010203 is 225.1.2.3, and group_6(7) is ff15::7.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tests/support/octets.h"

namespace sluice::test {

using Address6 = std::array<uint8_t, 16>;

constexpr Address6 address_6(uint16_t prefix, uint32_t low) {
    Address6 address{};
    address[0] = static_cast<uint8_t>(prefix >> 8);
    address[1] = static_cast<uint8_t>(prefix);
    for (std::size_t n = 0; n < 4; ++n) {
        address[12 + n] = static_cast<uint8_t>(low >> (24 - 8 * n));
    }
    return address;
}
constexpr Address6 group_6(uint32_t low) { return address_6(0xFF15, low); }
inline constexpr Address6 nobody_6{};

constexpr MacAddress mac_of(uint32_t group) { return {0x01005E000000U | (group & 0x7FFFFFU)}; }
constexpr MacAddress mac_of(const Address6& group) {
    uint64_t low = 0;
    for (std::size_t n = 12; n < 16; ++n) low = low << 8 | group[n];
    return {0x333300000000U | low};
}

inline void append(Octets& to, uint64_t number, int octets) {
    for (int shift = 8 * (octets - 1); shift >= 0; shift -= 8) {
        to.push_back(static_cast<uint8_t>(number >> shift));
    }
}
inline void append(Octets& to, std::span<const uint8_t> octets) {
    for (const uint8_t octet : octets) to.push_back(octet);
}

// Returns the Internet checksum (one's complement) of `octets` and `more`.
inline uint16_t checksum_of(std::span<const uint8_t> octets, uint32_t more = 0) {
    uint32_t sum = more;
    for (std::size_t at = 0; at < octets.size(); ++at) {
        sum += at % 2 == 0 ? uint32_t{octets[at]} << 8 : octets[at];
    }
    while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
}

// --- IGMP ----------------------------------------------------------------------------------------

inline constexpr uint8_t igmp_query = 0x11, igmp_report_1 = 0x12, igmp_report_2 = 0x16;
inline constexpr uint8_t igmp_leave = 0x17, igmp_report_3 = 0x22, igmp_router = 0x30;

struct Ipv4Spec {
    uint32_t from = 0x0A000001;
    bool router_alert = true;
    uint8_t protocol = 2;
    uint32_t to = 0xE0000016;
};

inline Octets ipv4(const Octets& payload, const Ipv4Spec& spec = {}) {
    Octets octets;
    const std::size_t header = spec.router_alert ? 24 : 20;
    append(octets, 0x40 | header / 4, 1);
    append(octets, 0, 1);
    append(octets, header + payload.size(), 2);
    append(octets, 0, 4);
    append(octets, 1, 1);
    append(octets, spec.protocol, 1);
    append(octets, 0, 2);
    append(octets, spec.from, 4);
    append(octets, spec.to, 4);
    if (spec.router_alert) append(octets, 0x94040000, 4);
    write_16(&octets[10], checksum_of(octets));
    append(octets, payload);
    return octets;
}

inline Octets sealed(Octets message) {
    write_16(&message[2], checksum_of(message));
    return message;
}

inline Octets igmp(uint8_t type, uint32_t group, const Ipv4Spec& spec = {}) {
    Octets message{type, 0, 0, 0};
    append(message, group, 4);
    return ipv4(sealed(message), spec);
}

// A record with a type from IS_IN to BLOCK, RFC 3376 4.2.12 and RFC 3810 5.2.12.
template <class Address>
struct Record {
    uint8_t type;
    Address group;
    std::vector<Address> sources;
    uint8_t auxiliary_words = 0;
};
using Record4 = Record<uint32_t>;
using Record6 = Record<Address6>;

inline void append_address(Octets& to, uint32_t address) { append(to, address, 4); }
inline void append_address(Octets& to, const Address6& address) { append(to, address); }

template <class Address>
Octets report_of(uint8_t type, const std::vector<Record<Address>>& records) {
    Octets message{type, 0, 0, 0, 0, 0};
    append(message, records.size(), 2);
    for (const Record<Address>& record : records) {
        append(message, record.type, 1);
        append(message, record.auxiliary_words, 1);
        append(message, record.sources.size(), 2);
        append_address(message, record.group);
        for (const Address& source : record.sources) append_address(message, source);
        message.resize(message.size() + std::size_t{4} * record.auxiliary_words);
    }
    return message;
}

inline Octets igmp_3(const std::vector<Record4>& records) {
    return ipv4(sealed(report_of(igmp_report_3, records)));
}

// --- PIM ----------------------------------------------------------------------------------------

// Returns a Hello without options, or a message of another type.
inline Octets pim_4(uint8_t type = 0x20, uint32_t from = 0x0A000001, uint32_t to = 0xE000000D) {
    return ipv4(sealed({type, 0, 0, 0}),
                {.from = from, .router_alert = false, .protocol = 103, .to = to});
}
inline Octets pim_6(const Address6& from, uint8_t hop_limit = 1) {
    const Address6 to = address_6(0xFF02, 0x0D);
    Octets pim{0x20, 0, 0, 0};
    Octets pseudo;
    append(pseudo, from);
    append(pseudo, to);
    append(pseudo, pim.size(), 4);
    append(pseudo, 103, 4);
    append(pseudo, pim);
    write_16(&pim[2], checksum_of(pseudo));
    Octets octets;
    append(octets, 0x60000000, 4);
    append(octets, pim.size(), 2);
    append(octets, 103, 1);
    append(octets, hop_limit, 1);
    append(octets, from);
    append(octets, to);
    append(octets, pim);
    return octets;
}

// --- MLD -----------------------------------------------------------------------------------------

inline constexpr uint8_t mld_query = 130, mld_report_1 = 131, mld_done = 132, mld_report_2 = 143,
                         mld_router = 151;

struct Ipv6Spec {
    Address6 from = address_6(0xFE80, 1);
    bool router_alert = true;
    uint8_t hop_limit = 1;
};

inline Octets ipv6(Octets icmp, const Ipv6Spec& spec = {}) {
    const Address6 to = address_6(0xFF02, 0x16);
    Octets pseudo;
    append(pseudo, spec.from);
    append(pseudo, to);
    append(pseudo, icmp.size(), 4);
    append(pseudo, 58, 4);
    append(pseudo, icmp);
    write_16(&icmp[2], checksum_of(pseudo));
    Octets octets;
    append(octets, 0x60000000, 4);
    append(octets, 8 + icmp.size(), 2);
    append(octets, 0, 1);
    append(octets, spec.hop_limit, 1);
    append(octets, spec.from);
    append(octets, to);
    append(octets, spec.router_alert ? 0x3A00050200000100 : 0x3A00010400000000, 8);
    append(octets, icmp);
    return octets;
}

inline Octets mld(uint8_t type, const Address6& group, const Ipv6Spec& spec = {}) {
    Octets message{type, 0, 0, 0, 0, 0, 0, 0};
    append(message, group);
    return ipv6(message, spec);
}

inline Octets mld_2(const std::vector<Record6>& records) {
    return ipv6(report_of(mld_report_2, records));
}

// --- a whole frame -------------------------------------------------------------------------------

// Adds an Ethernet header; `to`: the group's MAC address, or all routers'.
inline Octets framed(const Octets& network, MacAddress to, MacAddress from,
                     std::optional<Tag> tag = {}) {
    const bool version_6 = network[0] >> 4 == 6;
    FrameSpec spec{.to = to, .from = from, .tag = tag};
    spec.ether_type = version_6 ? 0x86DD : 0x0800;
    const std::size_t header = tag ? 18 : 14;
    spec.length = std::max<std::size_t>(60, header + network.size());
    Octets octets = octets_of(spec);
    std::ranges::copy(network, &octets[header]);
    return octets;
}
inline constexpr MacAddress igmp_routers{0x01005E000016};
inline constexpr MacAddress mld_routers{0x333300000016};

}  // namespace sluice::test

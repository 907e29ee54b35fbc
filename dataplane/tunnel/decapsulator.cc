#include "dataplane/tunnel/decapsulator.h"

#include <algorithm>
#include <cstring>

#include "dataplane/ingress/parse.h"
#include "dataplane/tunnel/tunnel_ecn.h"
#include "dataplane/units.h"

namespace sluice {
namespace {

constexpr std::array<std::string_view, refusal_kinds> refusal_names = {
    "none",   "malformed",   "header_checksum", "length",      "fragment",
    "no_vni", "unknown_vni", "other_source",    "inner_short", "ecn"};

constexpr Arrival refused(Refusal why) { return {.kind = ArrivalKind::refused, .why = why}; }

// The sum of a right header is all ones, in whichever order of octets, and by whole words as by
// halves (RFC 1071 2).
bool header_sums_up(std::span<const uint8_t> header) {
    uint64_t sum = 0;
    for (std::size_t at = 0; at < header.size(); at += sizeof(uint32_t)) {
        uint32_t word = 0;
        std::memcpy(&word, &header[at], sizeof word);
        sum += word;
    }
    sum = (sum & 0xFFFF'FFFF) + (sum >> 32);
    sum = (sum & 0xFFFF) + (sum >> 16 & 0xFFFF) + (sum >> 32);
    return (sum & 0xFFFF) + (sum >> 16) == 0xFFFF;
}

// False: it is to be dropped.
bool merge_ecn(std::span<uint8_t> inner, EcnField outer) {
    if (outer == EcnField::not_ect || outer == EcnField::ect_0) return true;
    const std::size_t network = network_offset_of(inner);
    if (network == 0) return true;
    const EcnField before = read_ecn(&inner[network]);
    const auto after = ecn_out_of_tunnel(before, outer);
    if (!after) return false;
    if (*after != before) write_ecn(&inner[network], *after);
    return true;
}

}  // namespace

std::string_view name_of(Refusal refusal) {
    return refusal_names[static_cast<std::size_t>(refusal)];
}

// One function, as for what goes in.
[[gnu::flatten]] Arrival Decapsulator::look(std::span<uint8_t> octets) const {
    using namespace vxlan_layout;
    if (octets.size() < outer_ip + bare_ip) return {};
    const uint16_t type = read_16(&octets[outer_type]);
    if (type == arp_ether_type) {
        return is_arp(octets) ? Arrival{.kind = ArrivalKind::arp} : Arrival{};
    }
    if (type != ipv4_ether_type || read_address(octets.data()) != own_) return {};
    const uint8_t* const ip = &octets[outer_ip];
    if (Ipv4Address{read_32(ip + 16)} != local_ || ip[9] != udp_protocol) return {};
    const std::size_t header = std::size_t{4} * (ip[0] & 0x0F);
    if (ip[0] >> 4 != 4 || header < bare_ip || octets.size() < outer_ip + header + udp_header) {
        return refused(Refusal::malformed);
    }
    const bool is_fragment = (read_16(ip + 6) & 0x3FFF) != 0;
    if (!is_fragment && read_16(ip + header + 2) != vxlan_port) return {};
    if (!header_sums_up(octets.subspan(outer_ip, header))) return refused(Refusal::header_checksum);
    if (is_fragment) return refused(Refusal::fragment);
    return unwrap(octets, header);
}

Arrival Decapsulator::unwrap(std::span<uint8_t> octets, std::size_t header) const {
    using namespace vxlan_layout;
    const uint8_t* const ip = &octets[outer_ip];
    const uint8_t* const udp = ip + header;
    const std::size_t whole = read_16(ip + 2);
    const std::size_t headers = header + udp_header + vxlan_header;
    if (whole > octets.size() - outer_ip || whole < headers || read_16(udp + 4) != whole - header) {
        return refused(Refusal::length);
    }
    const uint8_t* const vxlan = udp + udp_header;
    if ((vxlan[0] & vni_is_valid) == 0) return refused(Refusal::no_vni);
    const uint32_t vni = read_32(vxlan + 4) >> 8;
    const Ipv4Address source{read_32(ip + 12)};
    const auto tunnels = std::span(tunnels_).first(count_);
    const auto found = std::ranges::find_if(tunnels, [&](const Tunnel& tunnel) {
        return tunnel.vni == vni && tunnel.remote == source;
    });
    if (found == tunnels.end()) {
        const bool known = std::ranges::find(tunnels, vni, &Tunnel::vni) != tunnels.end();
        return refused(known ? Refusal::other_source : Refusal::unknown_vni);
    }
    const std::size_t carried = whole - headers;
    if (Bytes(static_cast<int64_t>(carried)) < bare_frame) return refused(Refusal::inner_short);
    const std::size_t offset = outer_ip + headers;
    if (!merge_ecn(octets.subspan(offset, carried), read_ecn(ip))) return refused(Refusal::ecn);
    return {.kind = ArrivalKind::carried,
            .why = Refusal::none,
            .tunnel = static_cast<uint8_t>(found - tunnels.begin()),
            .offset = static_cast<uint16_t>(offset),
            .length = static_cast<uint16_t>(carried)};
}

// RFC 826: of Ethernet and IPv4, and asked of or told to the port's address.
bool Decapsulator::is_arp(std::span<const uint8_t> octets) const {
    using namespace vxlan_layout;
    constexpr std::size_t arp_octets = 28;
    if (octets.size() < outer_ip + arp_octets) return false;
    constexpr uint32_t ethernet_and_ipv4 = 0x0001'0800;
    constexpr uint16_t their_lengths = 0x0604;
    const uint8_t* const arp = &octets[outer_ip];
    return read_32(arp) == ethernet_and_ipv4 && read_16(arp + 4) == their_lengths &&
           Ipv4Address{read_32(arp + 24)} == local_;
}

}  // namespace sluice

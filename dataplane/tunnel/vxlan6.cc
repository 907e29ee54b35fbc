#include "dataplane/tunnel/vxlan6.h"

#include "dataplane/ingress/parse.h"

namespace sluice {
namespace vxlan6_layout {

constexpr std::size_t outer_udp = outer_network + ipv6_header_octets;
static_assert(outer_udp + vxlan_datagram_octets == vxlan6_octets &&
              vxlan6_octets <= most_outer_octets);

// Whether a next header is an extension header whose length is in units of 8 octets, without the
// first 8 (RFC 8200 4.1).
constexpr bool is_extension(uint8_t header) {
    constexpr uint8_t hop_by_hop = 0, routing = 43, destination_options = 60;
    return header == hop_by_hop || header == routing || header == destination_options;
}

// Classifies a packet for the port's address whose IPv6 header is not followed by UDP.
[[gnu::noinline]] Arrival behind_extensions(std::span<const uint8_t> octets) {
    constexpr std::size_t unit = 8;
    uint8_t next = octets[outer_network + 6];
    std::size_t at = outer_udp;
    while (is_extension(next)) {
        if (octets.size() < at + unit) return refused(Refusal::malformed);
        next = octets[at];
        at += unit * (std::size_t{1} + octets[at + 1]);
    }
    if (next == ipv6_fragment_header) return refused(Refusal::fragment);
    if (next != udp_protocol) return {};
    if (octets.size() < at + udp_octets) return refused(Refusal::malformed);
    const bool is_vxlan = read_16(&octets[at + 2]) == vxlan_port;
    return is_vxlan ? refused(Refusal::extension_header) : Arrival{};
}

}  // namespace vxlan6_layout

Vxlan6Header::Vxlan6Header(const Vxlan6Tunnel& tunnel, const UnderlayAddresses& here) {
    using namespace vxlan6_layout;
    uint8_t* const octets = octets_.data();
    write_address(octets + 6, here.mac);
    write_16(octets + outer_type, ipv6_ether_type);
    octets[outer_network + 6] = udp_protocol;
    octets[outer_network + 7] = outer_hop_limit;
    write_ipv6(octets + outer_network + 8, here.ipv6);
    write_ipv6(octets + outer_network + 24, tunnel.remote);
    write_vxlan(octets + outer_udp, tunnel.vni);
}

void Vxlan6Header::patch(uint8_t* octets, const FrameMarks& marks) const {
    using namespace vxlan6_layout;
    write_ipv6_start(octets + outer_network, marks, marks.carried + vxlan_datagram_octets);
    patch_vxlan(octets + outer_udp, marks);
}

// Only UDP to the VXLAN port, right after the IPv6 header, is a tunnel frame. A packet with
// extension headers before such UDP is refused with a Drop; other packets are `others`.
Arrival Vxlan6Ends::look(std::span<uint8_t> octets) const {
    using namespace vxlan6_layout;
    if (!has_any_ || octets.size() < outer_udp) return {};
    const uint8_t* const ip = &octets[outer_network];
    if (read_ipv6(ip + 24) != local_) return {};
    if (ip[6] != udp_protocol) [[unlikely]]
        return behind_extensions(octets);
    if (ip[0] >> 4 != 6 || octets.size() < outer_udp + udp_octets) {
        return refused(Refusal::malformed);
    }
    if (read_16(ip + ipv6_header_octets + 2) != vxlan_port) return {};
    return peers_.take_out_of(octets, {outer_udp, read_16(ip + 4)}, read_ipv6(ip + 8),
                              read_ecn(ip));
}

}  // namespace sluice

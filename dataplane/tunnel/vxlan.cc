#include "dataplane/tunnel/vxlan.h"

#include <cstring>

#include "dataplane/ingress/parse.h"

namespace sluice {
namespace vxlan_layout {

constexpr std::size_t bare_ip = 20;  // octets of an IPv4 header without options
constexpr std::size_t outer_checksum = outer_network + 10;
constexpr std::size_t outer_udp = outer_network + bare_ip;
static_assert(outer_udp + vxlan_datagram_octets == vxlan_octets &&
              vxlan_octets <= most_outer_octets);

constexpr uint16_t do_not_fragment = 0x4000;

constexpr uint16_t folded(uint32_t sum) {
    sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<uint16_t>(sum + (sum >> 16));
}

// Whether the checksum of an IPv4 header is right: the sum is then all ones, in either byte order,
// and for 32-bit as for 16-bit words (RFC 1071 2).
bool header_sums_up(std::span<const uint8_t> header) {
    uint64_t sum = 0;
    const auto add = [&](std::size_t from, std::size_t end) {
        for (std::size_t at = from; at < end; at += sizeof(uint32_t)) {
            uint32_t word = 0;
            std::memcpy(&word, &header[at], sizeof word);
            sum += word;
        }
    };
    add(0, bare_ip);
    if (header.size() != bare_ip) [[unlikely]]
        add(bare_ip, header.size());
    sum = (sum & 0xFFFF'FFFF) + (sum >> 32);
    sum = (sum & 0xFFFF) + (sum >> 16 & 0xFFFF) + (sum >> 32);
    return (sum & 0xFFFF) + (sum >> 16) == 0xFFFF;
}

}  // namespace vxlan_layout

VxlanHeader::VxlanHeader(const VxlanTunnel& tunnel, const UnderlayAddresses& here) {
    using namespace vxlan_layout;
    uint8_t* const octets = octets_.data();
    write_address(octets + 6, here.mac);
    write_16(octets + outer_type, ipv4_ether_type);
    octets[outer_network] = 4 << 4 | bare_ip / 4;
    write_16(octets + outer_network + 6, do_not_fragment);
    octets[outer_network + 8] = outer_hop_limit;
    octets[outer_network + 9] = udp_protocol;
    write_32(octets + outer_network + 12, here.ipv4.bits);
    write_32(octets + outer_network + 16, tunnel.remote.bits);
    write_vxlan(octets + outer_udp, tunnel.vni);
    for (std::size_t at = outer_network; at < outer_udp; at += 2) sum_ += read_16(octets + at);
}

void VxlanHeader::patch(uint8_t* octets, const FrameMarks& marks, uint32_t sum_of_remote) const {
    using namespace vxlan_layout;
    const auto whole = static_cast<uint16_t>(marks.carried + vxlan_datagram_octets + bare_ip);
    constexpr uint32_t version_and_length = 4 << 4 | bare_ip / 4;
    write_32(octets + outer_network, version_and_length << 24 | uint32_t{marks.tos} << 16 | whole);
    write_16(octets + outer_checksum,
             static_cast<uint16_t>(~folded(sum_ + marks.tos + whole + sum_of_remote)));
    patch_vxlan(octets + outer_udp, marks);
}

void VxlanHeader::patch_to(uint8_t* octets, const FrameMarks& marks, const VtepWay& way) const {
    using namespace vxlan_layout;
    write_32(octets + outer_network + 16, way.remote.bits);
    write_vni(octets + outer_udp, way.vni);
    patch(octets, marks, (way.remote.bits >> 16) + (way.remote.bits & 0xFFFF));
}

Arrival VxlanEnds::look(std::span<uint8_t> octets) const {
    using namespace vxlan_layout;
    if (octets.size() < outer_udp) return {};
    const uint8_t* const ip = &octets[outer_network];
    const Ipv4Address to{read_32(ip + 16)};
    if (to != local_ || to.bits == 0 || ip[9] != udp_protocol) return {};
    const std::size_t header = std::size_t{4} * (ip[0] & 0x0F);
    if (ip[0] >> 4 != 4 || header < bare_ip ||
        octets.size() < outer_network + header + udp_octets) {
        return refused(Refusal::malformed);
    }
    const bool is_fragment = (read_16(ip + 6) & 0x3FFF) != 0;
    if (!is_fragment && read_16(ip + header + 2) != vxlan_port) return {};
    if (!header_sums_up(octets.subspan(outer_network, header))) {
        return refused(Refusal::header_checksum);
    }
    if (is_fragment) return refused(Refusal::fragment);
    const std::size_t whole = read_16(ip + 2);
    if (whole < header) return refused(Refusal::length);
    return peers_.take_out_of(octets, {outer_network + header, whole - header},
                              Ipv4Address{read_32(ip + 12)}, read_ecn(ip));
}

}  // namespace sluice

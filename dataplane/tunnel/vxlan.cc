#include "dataplane/tunnel/vxlan.h"

#include <algorithm>
#include <cstring>

#include "dataplane/ingress/parse.h"
#include "dataplane/tunnel/carried_frame.h"

namespace sluice {
namespace vxlan_layout {

constexpr std::size_t bare_ip = 20;  // octets of an IPv4 header without options
constexpr std::size_t udp_header = 8;
constexpr std::size_t vxlan_header = 8;
constexpr std::size_t outer_length = outer_network + 2;
constexpr std::size_t outer_checksum = outer_network + 10;
constexpr std::size_t outer_udp = outer_network + bare_ip;
constexpr std::size_t outer_vxlan = outer_udp + udp_header;
static_assert(outer_vxlan + vxlan_header == vxlan_octets && vxlan_octets <= most_outer_octets);

constexpr uint8_t vni_is_valid = 0x08;  // the I flag
constexpr uint16_t do_not_fragment = 0x4000;
constexpr uint16_t first_dynamic = 0xC000;  // RFC 6335 6: 49152 to 65535

constexpr uint16_t folded(uint32_t sum) {
    sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<uint16_t>(sum + (sum >> 16));
}

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
    write_16(octets + outer_udp + 2, vxlan_port);
    octets[outer_vxlan] = vni_is_valid;
    write_32(octets + outer_vxlan + 4, tunnel.vni << 8);
    for (std::size_t at = outer_network; at < outer_udp; at += 2) sum_ += read_16(octets + at);
}

void VxlanHeader::patch(uint8_t* octets, const FrameMarks& marks) const {
    using namespace vxlan_layout;
    const auto payload = static_cast<uint16_t>(marks.carried + vxlan_header + udp_header);
    const auto whole = static_cast<uint16_t>(payload + bare_ip);
    octets[outer_network + 1] = marks.tos;
    write_16(octets + outer_length, whole);
    write_16(octets + outer_checksum, static_cast<uint16_t>(~folded(sum_ + marks.tos + whole)));
    write_16(octets + outer_udp, static_cast<uint16_t>(first_dynamic | marks.flow >> 50));
    write_16(octets + outer_udp + 4, payload);
}

Arrival VxlanEnds::look(std::span<uint8_t> octets) const {
    using namespace vxlan_layout;
    if (octets.size() < outer_udp) return {};
    const uint8_t* const ip = &octets[outer_network];
    const Ipv4Address to{read_32(ip + 16)};
    if (to != local_ || to.bits == 0 || ip[9] != udp_protocol) return {};
    const std::size_t header = std::size_t{4} * (ip[0] & 0x0F);
    if (ip[0] >> 4 != 4 || header < bare_ip ||
        octets.size() < outer_network + header + udp_header) {
        return refused(Refusal::malformed);
    }
    const bool is_fragment = (read_16(ip + 6) & 0x3FFF) != 0;
    if (!is_fragment && read_16(ip + header + 2) != vxlan_port) return {};
    if (!header_sums_up(octets.subspan(outer_network, header))) {
        return refused(Refusal::header_checksum);
    }
    if (is_fragment) return refused(Refusal::fragment);
    return unwrap(octets, header);
}

Arrival VxlanEnds::unwrap(std::span<uint8_t> octets, std::size_t header) const {
    using namespace vxlan_layout;
    const uint8_t* const ip = &octets[outer_network];
    const uint8_t* const udp = ip + header;
    const std::size_t whole = read_16(ip + 2);
    const std::size_t headers = header + udp_header + vxlan_header;
    if (whole > octets.size() - outer_network || whole < headers ||
        read_16(udp + 4) != whole - header) {
        return refused(Refusal::length);
    }
    const uint8_t* const vxlan = udp + udp_header;
    if ((vxlan[0] & vni_is_valid) == 0) return refused(Refusal::no_vni);
    const uint32_t vni = read_32(vxlan + 4) >> 8;
    const Ipv4Address source{read_32(ip + 12)};
    const auto ends = std::span(ends_).first(count_);
    const auto found = std::ranges::find_if(
        ends, [&](const End& end) { return end.tunnel.vni == vni && end.tunnel.remote == source; });
    if (found == ends.end()) {
        const bool known =
            std::ranges::any_of(ends, [&](const End& end) { return end.tunnel.vni == vni; });
        return refused(known ? Refusal::other_source : Refusal::unknown_vni);
    }
    return take_out(octets, {outer_network + headers, whole - headers}, read_ecn(ip),
                    found->number);
}

}  // namespace sluice

#include "dataplane/trim/cut_packet.h"

#include <algorithm>

#include "dataplane/egress/dscp.h"
#include "dataplane/types/address.h"

namespace sluice {
namespace {

constexpr std::size_t ipv4_length_offset = 2;
constexpr std::size_t ipv6_header = 40;
constexpr std::size_t ipv6_length_offset = 4;
constexpr uint8_t of_udp = 17;

// A packet as its IP header describes it, in octets. `octets` 0: the frame is not to be cut.
struct Packet {
    std::size_t octets = 0;
    std::size_t headers = 0;  // octets of the IP headers
    uint8_t protocol = 0;     // protocol after the IP headers
};

Packet read_ipv4(std::span<const uint8_t> ip) {
    constexpr int fragment_bits = 0x3FFF;
    const std::size_t octets = read_16(&ip[ipv4_length_offset]);
    const std::size_t header = std::size_t{4} * (ip[0] & 0x0F);
    const bool is_fragment = (read_16(&ip[6]) & fragment_bits) != 0;
    if (is_fragment || octets < header || octets > ip.size()) return {};
    return {octets, header, ip[9]};
}

// Steps over up to four extension headers: hop-by-hop, routing and destination options.
Packet read_ipv6(std::span<const uint8_t> ip) {
    constexpr uint8_t hop_by_hop = 0;
    constexpr uint8_t routing = 43;
    constexpr uint8_t fragment = 44;
    constexpr uint8_t destination_options = 60;
    constexpr int most_extensions = 4;
    const std::size_t payload = read_16(&ip[ipv6_length_offset]);
    if (payload == 0 || ipv6_header + payload > ip.size()) return {};
    Packet packet{ipv6_header + payload, ipv6_header, ip[6]};
    for (int step = 0; step < most_extensions; ++step) {
        const uint8_t next = packet.protocol;
        if (next != hop_by_hop && next != routing && next != destination_options) break;
        if (packet.octets < packet.headers + 8) return {};
        packet.protocol = ip[packet.headers];
        packet.headers += std::size_t{8} * (ip[packet.headers + 1] + std::size_t{1});
    }
    if (packet.protocol == fragment || packet.headers > packet.octets) return {};
    return packet;
}

// Returns the octets that must remain after the IP header (UEC table 4-1).
std::size_t least_payload(std::span<const uint8_t> ip, const Packet& packet) {
    constexpr std::size_t of_others = 20;
    constexpr std::size_t of_datagram = 24;
    constexpr std::size_t of_vxlan_ipv4 = 74;
    constexpr std::size_t of_vxlan_ipv6 = 94;
    constexpr std::size_t inner_type_offset = 8 + 8 + 12;  // after UDP and VXLAN
    constexpr uint16_t vxlan_port = 4789;
    constexpr uint16_t inner_ipv6 = 0x86DD;
    if (packet.protocol != of_udp) return of_others;
    const auto payload = ip.first(packet.octets).subspan(packet.headers);
    if (payload.size() < inner_type_offset + 2 || read_16(&payload[2]) != vxlan_port) {
        return of_datagram;
    }
    return read_16(&payload[inner_type_offset]) == inner_ipv6 ? of_vxlan_ipv6 : of_vxlan_ipv4;
}

}  // namespace

uint16_t length_when_cut(std::span<const uint8_t> frame, std::size_t network, std::size_t size) {
    const auto ip = frame.subspan(network);
    const Packet packet = is_ipv4(ip.data()) ? read_ipv4(ip) : read_ipv6(ip);
    if (packet.octets == 0) return 0;
    const std::size_t least = network + packet.headers + least_payload(ip, packet);
    const std::size_t length = std::max(size, least);
    return length < frame.size() ? static_cast<uint16_t>(length) : uint16_t{0};
}

void write_cut_headers(std::span<uint8_t> kept, std::size_t network, uint8_t dscp) {
    uint8_t* const ip = &kept[network];
    const bool version_4 = is_ipv4(ip);
    const std::size_t not_counted = version_4 ? 0 : ipv6_header;
    uint8_t* const length = ip + (version_4 ? ipv4_length_offset : ipv6_length_offset);
    const uint16_t before = read_16(length);
    // A frame may have padding after its packet.
    const auto after =
        static_cast<uint16_t>(std::min<std::size_t>(before, kept.size() - network - not_counted));
    write_16(length, after);
    if (version_4) replace_in_ipv4_checksum(ip, before, after);
    write_dscp(ip, dscp);
}

}  // namespace sluice

#include "dataplane/ingress/neighbour_packet.h"

#include <algorithm>
#include <array>

#include "dataplane/ingress/parse.h"
#include "dataplane/types/neighbour_format.h"
#include "dataplane/types/tag.h"

namespace sluice {
namespace {

std::optional<NeighbourPacket> read_arp(std::span<const uint8_t> packet, bool to_group,
                                        MacAddress source) {
    if (packet.size() < arp::octets) return {};
    const uint16_t asked = read_16(&packet[arp::operation]);
    const bool is_one = read_32(packet.data()) == arp::ethernet_and_ipv4 &&
                        read_16(&packet[arp::lengths]) == arp::address_lengths &&
                        (asked == arp::request || asked == arp::reply);
    if (!is_one) return {};
    const Ipv4Address sender{read_32(&packet[arp::sender_ip])};
    const Ipv4Address target{read_32(&packet[arp::target_ip])};
    NeighbourPacket read{.mac = source};
    // A sender is ignored if its MAC address in the packet is not the frame's source.
    const bool has_sender = sender.bits != 0;
    if (has_sender && read_address(&packet[arp::sender]) == source) read.sender = sender;
    const bool is_another = target.bits != 0 && target != sender && has_sender;
    if (asked == arp::request && to_group && is_another) read.target = target;
    return read;
}

// Whether `group` is the solicited-node group of `target` (RFC 4291 2.7.1): it ends with the same
// three octets.
bool is_solicited_node(const Ipv6Address& group, const Ipv6Address& target) {
    constexpr std::array<uint8_t, 13> prefix = {0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF};
    return std::equal(prefix.begin(), prefix.end(), group.octets.begin()) &&
           std::equal(group.octets.begin() + prefix.size(), group.octets.end(),
                      target.octets.begin() + prefix.size());
}

std::optional<NeighbourPacket> read_discovery(std::span<const uint8_t> packet, bool to_group,
                                              MacAddress source) {
    if (packet.size() < nd::options || packet[0] >> 4 != 6 ||
        packet[nd::next_header] != nd::icmpv6 || packet[nd::hop_limit] != nd::from_the_link ||
        packet[nd::code] != 0) {
        return {};
    }
    const Ipv6Address sender = read_ipv6(&packet[nd::source]);
    const Ipv6Address target = read_ipv6(&packet[nd::target]);
    const bool asks = packet[nd::icmp_header] == nd::solicitation;
    if (!asks && packet[nd::icmp_header] != nd::advertisement) return {};
    NeighbourPacket read{.mac = source};
    const Ipv6Address& speaker = asks ? sender : target;
    if (speaker != Ipv6Address{}) read.sender = speaker;
    if (!asks) {
        read.router = (packet[nd::flags] & nd::is_router) != 0;
        return read;
    }
    const bool is_another = target != Ipv6Address{} && target != sender && read.sender;
    const bool to_its_group =
        to_group && is_solicited_node(read_ipv6(&packet[nd::destination]), target);
    if (to_its_group && is_another) read.target = target;
    return read;
}

}  // namespace

std::optional<NeighbourPacket> read_neighbour_packet(std::span<const uint8_t> octets, bool tagged) {
    const std::size_t at = tag_offset + (tagged ? tag_octets : 0);
    if (octets.size() < at + 2) return {};
    const bool to_group = read_address(octets.data()).is_group();
    const MacAddress source = read_address(&octets[6]);
    const auto packet = octets.subspan(at + 2);
    switch (read_16(&octets[at])) {
        case arp_ether_type:
            return read_arp(packet, to_group, source);
        case ipv6_ether_type:
            return read_discovery(packet, to_group, source);
        default:
            return {};
    }
}

}  // namespace sluice

#include "dataplane/ingress/neighbour_packet.h"

#include <algorithm>
#include <array>

#include "dataplane/ingress/parse.h"
#include "dataplane/tag.h"

namespace sluice {
namespace {

constexpr uint32_t ethernet_and_ipv4 = 0x0001'0800;
constexpr uint16_t their_lengths = 0x0604;
constexpr std::size_t arp_octets = 28;

std::optional<NeighbourPacket> read_arp(std::span<const uint8_t> packet, bool to_group,
                                        MacAddress source) {
    constexpr uint16_t request = 1;
    constexpr uint16_t reply = 2;
    if (packet.size() < arp_octets) return {};
    const uint16_t operation = read_16(&packet[6]);
    const bool is_one = read_32(packet.data()) == ethernet_and_ipv4 &&
                        read_16(&packet[4]) == their_lengths &&
                        (operation == request || operation == reply);
    if (!is_one) return {};
    const Ipv4Address sender{read_32(&packet[14])};
    const Ipv4Address target{read_32(&packet[24])};
    NeighbourPacket read{.mac = source};
    // A sender address in the packet other than the frame's source is not believed.
    if (sender.bits != 0 && read_address(&packet[8]) == source) read.sender = sender;
    const bool is_another = target.bits != 0 && target != sender && sender.bits != 0;
    if (operation == request && to_group && is_another) read.target = target;
    return read;
}

// Of all that may have an address of these last three octets (RFC 4291 2.7.1).
bool is_solicited_node(const Ipv6Address& group, const Ipv6Address& target) {
    constexpr std::array<uint8_t, 13> prefix = {0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF};
    return std::equal(prefix.begin(), prefix.end(), group.octets.begin()) &&
           std::equal(group.octets.begin() + prefix.size(), group.octets.end(),
                      target.octets.begin() + prefix.size());
}

std::optional<NeighbourPacket> read_discovery(std::span<const uint8_t> packet, bool to_group,
                                              MacAddress source) {
    constexpr std::size_t ip_octets = 40;
    constexpr std::size_t whole = ip_octets + 24;
    constexpr uint8_t icmp = 58;
    constexpr uint8_t from_the_link = 255;
    constexpr uint8_t solicitation = 135;
    constexpr uint8_t advertisement = 136;
    constexpr uint8_t is_router = 0x80;
    if (packet.size() < whole || packet[0] >> 4 != 6 || packet[6] != icmp ||
        packet[7] != from_the_link || packet[ip_octets + 1] != 0) {
        return {};
    }
    const Ipv6Address sender = read_ipv6(&packet[8]);
    const Ipv6Address target = read_ipv6(&packet[ip_octets + 8]);
    const bool asks = packet[ip_octets] == solicitation;
    if (!asks && packet[ip_octets] != advertisement) return {};
    NeighbourPacket read{.mac = source};
    const Ipv6Address& speaker = asks ? sender : target;
    if (speaker != Ipv6Address{}) read.sender = speaker;
    if (!asks) {
        read.router = (packet[ip_octets + 4] & is_router) != 0;
        return read;
    }
    const bool is_another = target != Ipv6Address{} && target != sender && read.sender;
    const bool to_its_group = to_group && is_solicited_node(read_ipv6(&packet[24]), target);
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

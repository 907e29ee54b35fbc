#include "control/neighbours/neighbour_discovery.h"

#include <algorithm>

#include "dataplane/ingress/parse.h"
#include "dataplane/types/neighbour_format.h"
#include "dataplane/types/tag.h"

namespace sluice::neighbours {

namespace {

constexpr std::size_t ip_header = tag_offset + 2;  // after the EtherType
constexpr std::size_t source_at = ip_header + nd::source;
constexpr std::size_t destination_at = ip_header + nd::destination;
constexpr std::size_t icmp_at = ip_header + nd::icmp_header;
constexpr std::size_t target_at = ip_header + nd::target;
constexpr std::size_t options_at = ip_header + nd::options;
constexpr std::size_t option_octets = 8;
constexpr uint8_t source_option = 1;  // types of the link-layer address options
constexpr uint8_t target_option = 2;

bool is_group(const Ipv6Address& address) { return address.octets[0] == 0xFF; }

// Multicast groups: the solicited-node group of a station's address, and all nodes.
Ipv6Address solicited_node(const Ipv6Address& station) {
    Ipv6Address group{{0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xFF}};
    std::copy_n(station.octets.begin() + 13, 3, group.octets.begin() + 13);
    return group;
}
constexpr Ipv6Address all_nodes{{0xFF, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};

// Returns the MAC address of a group (RFC 2464 7).
MacAddress mac_of_group(const Ipv6Address& group) {
    return {uint64_t{0x3333} << 32 | read_32(&group.octets[12])};
}

// Returns the checksum from the ICMP header on; 0 if the packet's own checksum is correct (RFC 8200
// 8.1).
uint16_t checksum(std::span<const uint8_t> octets) {
    uint32_t sum = nd::icmpv6 + static_cast<uint32_t>(octets.size() - icmp_at);
    for (std::size_t at = source_at; at + 1 < octets.size(); at += 2) sum += read_16(&octets[at]);
    if (octets.size() % 2 != 0) sum += uint32_t{octets.back()} << 8;
    while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
}

// Returns the packet of this type if it is valid, cut to the length in its IPv6 header.
std::optional<std::span<const uint8_t>> valid(std::span<const uint8_t> octets, uint8_t type) {
    if (octets.size() < options_at) return std::nullopt;
    const std::size_t whole = icmp_at + read_16(&octets[ip_header + 4]);
    if (read_16(&octets[tag_offset]) != ipv6_ether_type || octets[ip_header] >> 4 != 6 ||
        octets[ip_header + nd::next_header] != nd::icmpv6 ||
        octets[ip_header + nd::hop_limit] != nd::from_the_link || whole < options_at ||
        whole > octets.size()) {
        return std::nullopt;
    }
    const auto packet = octets.first(whole);
    if (packet[icmp_at] != type || packet[ip_header + nd::code] != 0 || checksum(packet) != 0 ||
        is_group(read_ipv6(&packet[target_at]))) {
        return std::nullopt;
    }
    return packet;
}

// Returns the address in the option `wanted`, or 0 without that option. Returns empty if an option
// has length 0 or exceeds the packet.
std::optional<MacAddress> link_address(std::span<const uint8_t> packet, uint8_t wanted) {
    MacAddress found;
    for (std::size_t at = options_at; at < packet.size();) {
        if (packet.size() - at < option_octets) return std::nullopt;
        const std::size_t length = option_octets * packet[at + 1];
        if (length == 0 || length > packet.size() - at) return std::nullopt;
        if (packet[at] == wanted) found = read_address(&packet[at + 2]);
        at += length;
    }
    return found;
}

struct Envelope {
    MacAddress from;
    MacAddress to;
    Ipv6Address source;
    Ipv6Address destination;
};

struct Body {
    uint8_t type = 0;
    uint8_t flags = 0;
    Ipv6Address target;
    uint8_t option = 0;  // type of the option to write; 0: none
};

std::vector<uint8_t> write(const Envelope& envelope, const Body& body) {
    std::vector<uint8_t> frame(options_at + (body.option != 0 ? option_octets : 0));
    uint8_t* const data = frame.data();
    write_address(data, envelope.to);
    write_address(data + 6, envelope.from);
    write_16(data + tag_offset, ipv6_ether_type);
    data[ip_header] = 6 << 4;
    write_16(data + ip_header + 4, static_cast<uint16_t>(frame.size() - icmp_at));
    data[ip_header + nd::next_header] = nd::icmpv6;
    data[ip_header + nd::hop_limit] = nd::from_the_link;
    write_ipv6(data + source_at, envelope.source);
    write_ipv6(data + destination_at, envelope.destination);
    data[icmp_at] = body.type;
    data[ip_header + nd::flags] = body.flags;
    write_ipv6(data + target_at, body.target);
    if (body.option != 0) {
        data[options_at] = body.option;
        data[options_at + 1] = 1;
        write_address(data + options_at + 2, envelope.from);
    }
    write_16(data + ip_header + nd::checksum, checksum(frame));
    return frame;
}

}  // namespace

std::optional<Solicitation> read_solicitation(std::span<const uint8_t> octets) {
    const auto packet = valid(octets, nd::solicitation);
    if (!packet) return std::nullopt;
    const auto mac = link_address(*packet, source_option);
    const Ipv6Address source = read_ipv6(&(*packet)[source_at]);
    const Ipv6Address destination = read_ipv6(&(*packet)[destination_at]);
    const Ipv6Address target = read_ipv6(&(*packet)[target_at]);
    if (!mac || is_group(source)) return std::nullopt;
    const bool has_link_layer_address = *mac != MacAddress{};
    const bool to_group = destination == solicited_node(target);
    if (!to_group && destination != target) return std::nullopt;
    if (source == Ipv6Address{} && (!to_group || has_link_layer_address)) return std::nullopt;
    return Solicitation{source, target, has_link_layer_address ? *mac : read_address(&(*packet)[6]),
                        has_link_layer_address};
}

std::optional<Advertisement> read_advertisement(std::span<const uint8_t> octets) {
    const auto packet = valid(octets, nd::advertisement);
    if (!packet) return std::nullopt;
    const auto mac = link_address(*packet, target_option);
    if (!mac) return std::nullopt;
    const uint8_t flags = (*packet)[ip_header + nd::flags];
    const bool solicited = (flags & nd::is_solicited) != 0;
    if (solicited && is_group(read_ipv6(&(*packet)[destination_at]))) return std::nullopt;
    const bool has_link_layer_address = *mac != MacAddress{};
    return Advertisement{.target = read_ipv6(&(*packet)[target_at]),
                         .mac = has_link_layer_address ? *mac : read_address(&(*packet)[6]),
                         .has_link_layer_address = has_link_layer_address,
                         .solicited = solicited,
                         .overrides = (flags & nd::is_override) != 0,
                         .router = (flags & nd::is_router) != 0};
}

std::vector<uint8_t> write_solicitation(const Solicitation& packet, std::optional<MacAddress> to) {
    const Ipv6Address group = solicited_node(packet.target);
    return write(
        {packet.mac, to.value_or(mac_of_group(group)), packet.source, to ? packet.target : group},
        {nd::solicitation, 0, packet.target,
         packet.has_link_layer_address ? source_option : uint8_t{0}});
}

std::vector<uint8_t> write_advertisement(const Advertisement& packet, const Solicitation& asked) {
    const bool to_all = asked.source == Ipv6Address{};
    const auto flags =
        static_cast<uint8_t>((packet.router ? nd::is_router : 0) | (to_all ? 0 : nd::is_solicited) |
                             (packet.overrides ? nd::is_override : 0));
    return write({packet.mac, to_all ? mac_of_group(all_nodes) : asked.mac, packet.target,
                  to_all ? all_nodes : asked.source},
                 {nd::advertisement, flags, packet.target,
                  packet.has_link_layer_address ? target_option : uint8_t{0}});
}

}  // namespace sluice::neighbours

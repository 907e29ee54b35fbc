#include "dataplane/ingress/parse.h"

#include <cstring>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/types/tag.h"
#include "dataplane/types/units.h"

namespace sluice {
namespace {

constexpr std::size_t ether_type_offset = 12;
constexpr std::size_t shortest_ip = 20;  // a header of version 4 without options

constexpr uint64_t group_bit = uint64_t{1} << 40;

// Reads an address by one load of eight octets: each address of a frame is followed by at least two
// octets.
MacAddress address_at(std::span<const uint8_t, 8> octets) {
    uint64_t word = 0;
    std::memcpy(&word, octets.data(), sizeof word);
    return {__builtin_bswap64(word) >> 16};
}

// Skips up to two tags, and sets `at` to the EtherType after them.
Drop parse_tags(std::span<const uint8_t> octets, std::size_t& at, Headers& headers) {
    for (int tag = 0; tag < 2 && is_tag(headers.ether_type); ++tag) {
        if (octets.size() < at + tag_octets + 2) return Drop::truncated_tag;
        at += tag_octets;
        headers.ether_type = read_16(&octets[at]);
    }
    const uint16_t control = read_16(&octets[ether_type_offset + 2]);
    headers.tagged = true;
    headers.vlan = control & 0x0FFF;
    headers.pcp = static_cast<uint8_t>(control >> 13);
    return Drop::none;
}

Drop parse_ipv4(std::span<const uint8_t> octets, std::size_t at, Headers& headers) {
    if (octets.size() < at + shortest_ip) return Drop::truncated_ip;
    const std::size_t header = std::size_t{4} * (octets[at] & 0x0F);
    if (octets[at] >> 4 != 4 || header < shortest_ip) return Drop::none;
    if (octets.size() < at + header) return Drop::truncated_ip;
    headers.network_offset = static_cast<uint8_t>(at);
    headers.dscp = octets[at + 1] >> 2;
    return Drop::none;
}

Drop parse_ipv6(std::span<const uint8_t> octets, std::size_t at, Headers& headers) {
    constexpr std::size_t header = 40;
    if (octets.size() < at + header) return Drop::truncated_ip;
    if (octets[at] >> 4 != 6) return Drop::none;
    headers.network_offset = static_cast<uint8_t>(at);
    headers.dscp = static_cast<uint8_t>((read_16(&octets[at]) >> 6) & 0x3F);
    return Drop::none;
}

Drop parse_ip(std::span<const uint8_t> octets, std::size_t at, Headers& headers) {
    if (headers.ether_type == ipv4_ether_type) return parse_ipv4(octets, at, headers);
    if (headers.ether_type == ipv6_ether_type) return parse_ipv6(octets, at, headers);
    return Drop::none;
}

}  // namespace

Drop parse_network(std::span<const uint8_t> octets, std::size_t at, Headers& headers) {
    return parse_ip(octets, at, headers);
}

Drop parse(std::span<const uint8_t> octets, Headers& headers) {
    if (Bytes(static_cast<int64_t>(octets.size())) < bare_frame) return Drop::runt;
    headers = {.destination = address_at(octets.first<8>()),
               .source = address_at(octets.subspan<6, 8>()),
               .ether_type = read_16(&octets[ether_type_offset])};
    if (headers.source.is_group()) return Drop::group_source;

    std::size_t at = ether_type_offset;
    if (is_tag(headers.ether_type)) {
        if (const Drop why = parse_tags(octets, at, headers); why != Drop::none) return why;
    }
    return parse_ip(octets, at + 2, headers);
}

Control control_of(std::span<const uint8_t> octets) {
    if (Bytes(static_cast<int64_t>(octets.size())) < bare_frame) return Control::none;
    const uint16_t ether_type = read_16(&octets[ether_type_offset]);
    const MacAddress destination = address_at(octets.first<8>());
    if (ether_type == mac_control_ether_type && destination == mac_control_address) {
        return Control::mac_control;
    }
    const bool lldp = ether_type == lldp_ether_type && destination == lldp_address;
    return lldp ? Control::lldp : Control::none;
}

Transport transport_of(std::span<const uint8_t> octets, std::size_t network_offset) {
    constexpr std::size_t both_ports = 4;
    if (network_offset == 0 || octets.size() < network_offset + shortest_ip) return {};
    const std::span<const uint8_t> ip = octets.subspan(network_offset);
    const bool version_4 = ip[0] >> 4 == 4;
    const int fragment = version_4 ? read_16(&ip[6]) & 0x3FFF : 0;
    const bool later_fragment = (fragment & 0x1FFF) != 0;
    const uint8_t protocol = ip[version_4 ? 9 : 6];
    if ((protocol != tcp_protocol && protocol != udp_protocol) || later_fragment) return {};
    const std::size_t header = version_4 ? std::size_t{4} * (ip[0] & 0x0F) : 40;
    if (ip.size() < header + both_ports) return {};
    return {.protocol = protocol,
            .fragment = fragment != 0,
            .source_port = read_16(&ip[header]),
            .destination_port = read_16(&ip[header + 2])};
}

bool is_roce(std::span<const uint8_t> octets, const Headers& headers) {
    constexpr uint16_t roce_port = 4791;
    const Transport transport = transport_of(octets, headers.network_offset);
    return transport.protocol == udp_protocol && transport.destination_port == roce_port;
}

// The key word has a bit for group ids. A group id gets the group bit of a 48-bit address, so that
// it is not looked up as a station.
Drop parse(const Format& format, std::span<const uint8_t> octets, Headers& headers) {
    const auto size = static_cast<int64_t>(octets.size());
    if (size < format.layout.header.count()) return Drop::runt;
    const uint8_t* const data = octets.data();
    headers = Headers{};
    headers.destination.bits = format.destination(data);
    headers.source.bits = format.source(data);
    headers.traffic_class = static_cast<uint8_t>(format.traffic_class(data));
    bool group = (octets[0] & 1) != 0;
    if (format.ids) {
        const uint64_t key_word = format.key_word(data);
        if (format.tells_length && ((key_word & key_word_short_ids) != 0) != format.short_ids) {
            return format.short_ids ? Drop::afh_gen2_32b : Drop::afh_gen2_16b;
        }
        group = (key_word & key_word_group) != 0;
    }
    if (group) headers.destination.bits |= group_bit;
    if (format.layout.family == FormatFamily::ethernet && headers.source.is_group()) {
        return Drop::group_source;
    }
    if (format.ttl.reads() && format.ttl(data) <= 1) return Drop::ttl_expired;
    if (!format.layout.ether_type) return Drop::none;

    headers.ether_type = read_16(&octets[ether_type_offset]);
    std::size_t at = ether_type_offset;
    if (is_tag(headers.ether_type)) {
        if (const Drop why = parse_tags(octets, at, headers); why != Drop::none) return why;
        const auto tags = static_cast<int64_t>(at - ether_type_offset);
        if (size < format.layout.header.count() + tags) return Drop::runt;
    }
    return format.layout.ip ? parse_ip(octets, at + 2, headers) : Drop::none;
}

}  // namespace sluice

#include "tools/gen/probe.h"

#include <algorithm>

namespace sluice::gen {
namespace {

using namespace layout;

constexpr uint16_t experimental_ether_type = 0x88B5;

// Returns the checksum (RFC 1071) of a header whose checksum field is 0.
uint16_t checksum(const uint8_t* header) {
    uint32_t sum = 0;
    for (std::size_t octet = 0; octet < ip_octets; octet += 2) sum += read_16(header + octet);
    while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
}

constexpr uint16_t everybody = 0xFFFF;
constexpr MacAddress everybodys_address{0xFFFFFFFFFFFF};

// Writes a header with ids. Its fields are: key word, payload, destination, traffic class, payload,
// source. 32-bit ids begin two octets earlier; ours fit 16 bits.
void write_ids(uint8_t* octets, uint16_t to, PortIndex from, Priority priority,
               FormatFamily family) {
    const uint64_t length = has_short_ids(family) ? key_word_short_ids : 0;
    octets[0] = static_cast<uint8_t>(length | (to == everybody ? key_word_group : 0));
    write_16(octets + 4, to);
    octets[source_offset] = static_cast<uint8_t>(priority << 2);
    write_16(octets + 10, static_cast<uint16_t>(from + 1));
}

void write_addresses(uint8_t* octets, const Flow& flow, FormatFamily family) {
    if (has_ids(family)) {
        const auto id = static_cast<uint16_t>(flow.receiver + 1);
        const uint16_t to = flow.is_broadcast() ? everybody : id;
        return write_ids(octets, to, flow.sender, flow.priority, family);
    }
    write_address(octets,
                  flow.is_broadcast() ? everybodys_address : station_address(flow.receiver));
    write_address(octets + source_offset, station_address(flow.sender));
    if (family == FormatFamily::afh_48)
        octets[source_offset] = static_cast<uint8_t>(flow.priority << 2);
}

void write_tag(uint8_t* octets, Priority priority, VlanId vlan) {
    write_16(octets, vlan_ether_type);
    write_16(octets + 2, static_cast<uint16_t>(priority << 13 | vlan));
}

}  // namespace

ProbeTemplate::ProbeTemplate(const Flow& flow, VlanId vlan, uint16_t run, uint16_t frame_octets,
                             const ProbeStyle& style)
    : length_(static_cast<uint16_t>(frame_octets - fcs_octets)) {
    write_addresses(octets_.data(), flow, style.family);
    write_tag(&octets_[tag_offset], flow.priority, vlan);
    write_16(&octets_[tag_offset + tag_octets], ip_ether_type);

    uint8_t* const ip = &octets_[ip_offset];
    const auto ip_length = static_cast<uint16_t>(length_ - ip_offset);
    ip[0] = 0x45;
    ip[tos_field] = static_cast<uint8_t>((style.dscp ? *style.dscp << 2 : flow.priority << 5) |
                                         (style.ecn_capable ? 2 : 0));
    write_16(ip + total_length_field, ip_length);
    write_16(ip + identification_field, run);
    ip[time_to_live_field] = 64;
    ip[protocol_field] = 17;
    write_32(ip + source_field, network | (flow.sender + 1U));
    write_32(ip + destination_field, network | (flow.receiver + 1U));
    write_16(ip + checksum_field, checksum(ip));

    write_32(ip + udp_field, udp_ports);
    write_16(ip + udp_field + 4, static_cast<uint16_t>(ip_length - ip_octets));
    static_assert(payload_field == ip_octets + udp_octets);
}

void write_announcement(std::span<uint8_t, probe_octets> octets, PortIndex port, VlanId vlan,
                        FormatFamily family, uint32_t number) {
    std::ranges::fill(octets, uint8_t{0});
    if (has_ids(family)) {
        write_ids(octets.data(), everybody, port, 0, family);
    } else {
        write_address(octets.data(), everybodys_address);
        write_address(&octets[source_offset], station_address(port, number));
    }
    uint8_t* ether_type = &octets[tag_offset];
    if (vlan != 0) {
        write_tag(ether_type, 0, vlan);
        ether_type += tag_octets;
    }
    write_16(ether_type, experimental_ether_type);
}

}  // namespace sluice::gen

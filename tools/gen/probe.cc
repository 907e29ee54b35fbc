#include "tools/gen/probe.h"

#include <algorithm>
#include <cstring>

#include "dataplane/tag.h"

namespace sluice::gen {
namespace {

constexpr std::size_t ip_offset = 18;
constexpr std::size_t ip_octets = 20;
constexpr std::size_t udp_octets = 8;
constexpr std::size_t sequence_offset = 46;
constexpr std::size_t time_offset = 54;
static_assert(time_offset + 6 == probe_octets);

// Of the IP header, and behind it.
constexpr std::size_t tos_field = 1;
constexpr std::size_t total_length_field = 2;
constexpr std::size_t identification_field = 4;
constexpr std::size_t time_to_live_field = 8;
constexpr std::size_t protocol_field = 9;
constexpr std::size_t checksum_field = 10;
constexpr std::size_t source_field = 12;
constexpr std::size_t destination_field = 16;
constexpr std::size_t udp_field = 20;
constexpr std::size_t payload_field = 28;

constexpr uint16_t vlan_ether_type = ether_type_of(TagType::customer);
constexpr uint16_t ip_ether_type = 0x0800;
constexpr uint16_t experimental_ether_type = 0x88B5;
constexpr uint32_t udp_ports = 21324U << 16 | 9U;
constexpr uint32_t network = 198U << 24 | 18U << 16;
constexpr uint64_t time_mask = (uint64_t{1} << 48) - 1;

void write_32(uint8_t* octets, uint32_t value) {
    value = __builtin_bswap32(value);
    std::memcpy(octets, &value, sizeof value);
}
void write_64(uint8_t* octets, uint64_t value) {
    value = __builtin_bswap64(value);
    std::memcpy(octets, &value, sizeof value);
}
uint32_t read_32(const uint8_t* octets) {
    uint32_t value = 0;
    std::memcpy(&value, octets, sizeof value);
    return __builtin_bswap32(value);
}

// RFC 1071, of a header whose checksum field is 0.
uint16_t checksum(const uint8_t* header) {
    uint32_t sum = 0;
    for (std::size_t octet = 0; octet < ip_octets; octet += 2) sum += read_16(header + octet);
    while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
}

constexpr uint16_t everybody = 0xFFFF;
constexpr MacAddress everybodys_address{0xFFFFFFFFFFFF};

// Ids of 16 bits: traffic class, payload, destination, key word, payload, source.
void write_ids(uint8_t* octets, uint16_t to, PortIndex from, Priority priority) {
    octets[0] = static_cast<uint8_t>(priority << 2);
    write_16(octets + 4, to);
    octets[source_offset] = to == everybody ? key_word_bits : key_word_short_ids;
    write_16(octets + 10, static_cast<uint16_t>(from + 1));
}

void write_addresses(uint8_t* octets, const Flow& flow, Family family) {
    if (has_short_ids(family)) {
        const auto id = static_cast<uint16_t>(flow.receiver + 1);
        return write_ids(octets, flow.is_broadcast() ? everybody : id, flow.sender, flow.priority);
    }
    write_address(octets,
                  flow.is_broadcast() ? everybodys_address : station_address(flow.receiver));
    write_address(octets + source_offset, station_address(flow.sender));
    if (family == Family::afh_48) octets[source_offset] = static_cast<uint8_t>(flow.priority << 2);
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
    ip[tos_field] = static_cast<uint8_t>(flow.priority << 5 | (style.ecn_capable ? 2 : 0));
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

void ProbeTemplate::write(uint8_t* data, uint64_t sequence) const {
    std::memcpy(data, octets_.data(), probe_octets);
    write_64(data + sequence_offset, sequence);
    if (length_ > probe_octets) std::memset(data + probe_octets, 0, length_ - probe_octets);
}

void stamp_time(uint8_t* data, Nanos now) {
    const auto time = static_cast<uint64_t>(now.count());
    write_32(data + time_offset, static_cast<uint32_t>(time >> 16));
    write_16(data + time_offset + 4, static_cast<uint16_t>(time));
}

Nanos Probe::age(Nanos now) const {
    return Nanos(static_cast<int64_t>(static_cast<uint64_t>((now - sent_at).count()) & time_mask));
}

std::optional<Probe> read_probe(std::span<const uint8_t> octets) {
    if (octets.size() < probe_octets - tag_octets) return {};
    const bool tagged = read_16(&octets[tag_offset]) == vlan_ether_type;
    const std::size_t shift = tagged ? 0 : tag_octets;
    if (octets.size() < probe_octets - shift) return {};
    const uint8_t* const ip = octets.data() + ip_offset - shift;
    if (read_16(ip - 2) != ip_ether_type || ip[0] != 0x45) return {};
    if (read_32(ip + udp_field) != udp_ports) return {};
    const uint32_t source = read_32(ip + source_field) - network - 1;
    const uint32_t destination = read_32(ip + destination_field) - network - 1;
    if (source >= max_ports || destination >= max_ports) return {};

    const uint8_t* const payload = ip + payload_field;
    uint64_t sequence = 0;
    std::memcpy(&sequence, payload, sizeof sequence);
    Probe probe;
    probe.flow = {static_cast<PortIndex>(source), static_cast<PortIndex>(destination),
                  static_cast<Priority>(ip[tos_field] >> 5)};
    probe.run = read_16(ip + identification_field);
    probe.sequence = __builtin_bswap64(sequence);
    probe.sent_at = Nanos(int64_t{read_32(payload + 8)} << 16 | read_16(payload + 12));
    return probe;
}

void write_announcement(std::span<uint8_t, probe_octets> octets, PortIndex port, VlanId vlan,
                        Family family) {
    std::ranges::fill(octets, uint8_t{0});
    if (has_short_ids(family)) {
        write_ids(octets.data(), everybody, port, 0);
    } else {
        write_address(octets.data(), everybodys_address);
        write_address(&octets[source_offset], station_address(port));
    }
    uint8_t* ether_type = &octets[tag_offset];
    if (vlan != 0) {
        write_tag(ether_type, 0, vlan);
        ether_type += tag_octets;
    }
    write_16(ether_type, experimental_ether_type);
}

}  // namespace sluice::gen

#include "dataplane/offload/host_tunnel.h"

#include "dataplane/types/address.h"

namespace sluice::offload {
namespace {

constexpr uint8_t ip_in_ip = 4;
constexpr uint8_t by_udp = 17;
constexpr uint8_t ipv6_in_ip = 41;
constexpr uint8_t by_gre = 47;
constexpr std::size_t udp_octets = 8;
constexpr std::size_t gre_least = 4;
constexpr uint16_t gre_checksum = 0x8000;
constexpr uint16_t gre_key = 0x2000;
constexpr std::size_t least_inner = 20;
constexpr std::size_t most_inner = 60;
constexpr std::size_t inner_ipv6 = 40;
constexpr uint16_t vxlan_port = 4789;
constexpr uint16_t linux_vxlan_port = 8472;  // default of Linux's VXLAN device
constexpr uint16_t geneve_port = 6081;
constexpr std::size_t vxlan_octets = 8;  // also the length of Geneve without options
constexpr uint16_t carries_ipv4 = 0x0800;
constexpr uint16_t carries_ipv6 = 0x86DD;
constexpr uint16_t carries_frames = 0x6558;

// Returns the offset after the tunnel's header; 0 if the kind of tunnel is unknown.
std::size_t read_carrier(std::span<const uint8_t> headers, HostTunnel& tunnel) {
    const std::size_t at = tunnel.outer.end;
    const std::size_t there = headers.size() - at;
    switch (tunnel.outer.protocol) {
        case by_udp:
            if (there < udp_octets) return 0;
            tunnel.is_udp = true;
            if (read_16(&headers[at + 6]) != 0) tunnel.sum = HostTunnel::Sum::udp;
            return at + udp_octets;
        case by_gre: {
            if (there < gre_least) return 0;
            const uint16_t flags = read_16(&headers[at]);
            if ((flags & ~(gre_checksum | gre_key)) != 0) return 0;
            const bool has_checksum = (flags & gre_checksum) != 0;
            if (has_checksum) tunnel.sum = HostTunnel::Sum::gre;
            return at + gre_least + (has_checksum ? 4U : 0U) + ((flags & gre_key) != 0 ? 4U : 0U);
        }
        case ip_in_ip:
        case ipv6_in_ip:
            return at;
        default:
            return 0;
    }
}

bool has_right_checksum(std::span<const uint8_t> headers, const TransportFrame& at) {
    OnesSum sum;
    sum.add(headers.subspan(at.network, at.transport - at.network));
    return sum.is_right();
}

// Finds the packet whose transport starts at `transport`, and whose IP header starts at `from` or
// later.
std::optional<TransportFrame> find_inner(std::span<const uint8_t> headers, std::size_t length,
                                         std::size_t from, std::size_t transport) {
    const auto look = [&](std::size_t octets, bool is_ipv6) -> std::optional<TransportFrame> {
        if (from + octets > transport) return std::nullopt;
        const auto at =
            read_transport_packet(headers, length, Lengths::checked, transport - octets, is_ipv6);
        return at && at->transport == transport ? at : std::nullopt;
    };
    for (std::size_t octets = least_inner; octets <= most_inner; octets += 4) {
        const auto at = look(octets, false);
        if (at && has_right_checksum(headers, *at)) return at;
    }
    return look(inner_ipv6, true);
}

// Returns the offset of the inner frame after the headers of UDP, which end at `from`, and of the
// tunnel; 0 if the frame is in no such tunnel.
std::size_t frame_behind_udp(std::span<const uint8_t> frame, std::size_t from) {
    if (frame.size() < from + vxlan_octets) return 0;
    const uint16_t port = read_16(&frame[from - udp_octets + 2]);
    if (port == vxlan_port || port == linux_vxlan_port) return from + vxlan_octets;
    if (port != geneve_port || read_16(&frame[from + 2]) != carries_frames) return 0;
    return from + vxlan_octets + std::size_t{4} * (frame[from] & 0x3FU);
}

std::optional<TransportFrame> read_frame_at(std::span<const uint8_t> frame, std::size_t start) {
    if (start == 0 || start >= frame.size()) return std::nullopt;
    auto at = read_transport_frame(frame.subspan(start), frame.size() - start, Lengths::checked);
    if (!at) return std::nullopt;
    at->network = static_cast<uint16_t>(at->network + start);
    at->transport = static_cast<uint16_t>(at->transport + start);
    at->payload = static_cast<uint16_t>(at->payload + start);
    return at;
}

// Returns the sum of the inner transport with its checksum, assuming that the checksum is right.
OnesSum sum_of_inner(std::span<const uint8_t> frame, const TransportFrame& inner) {
    const OnesSum pseudo = pseudo_header_sum(frame, inner, frame.size() - inner.transport);
    OnesSum sum;
    sum.add_number(pseudo.checksum());
    return sum;
}

void write_sum(std::span<uint8_t> frame, const HostTunnel& tunnel) {
    const std::size_t start = tunnel.outer.end;
    const bool is_udp = tunnel.sum == HostTunnel::Sum::udp;
    const std::size_t place = start + (is_udp ? 6 : 4);
    write_16(&frame[place], 0);
    OnesSum sum = sum_of_inner(frame, tunnel.inner);
    if (is_udp) {
        const TransportFrame outer{.network = tunnel.outer.network,
                                   .transport = tunnel.outer.end,
                                   .payload = 0,
                                   .is_ipv6 = tunnel.outer.is_ipv6,
                                   .is_tcp = false};
        sum.add_number(pseudo_header_sum(frame, outer, frame.size() - start).folded());
    }
    sum.add(frame.subspan(start, tunnel.inner.transport - start));
    write_16(&frame[place], is_udp ? sum.transport_checksum() : sum.checksum());
}

}  // namespace

std::optional<HostTunnel> read_host_tunnel(std::span<const uint8_t> headers, std::size_t length,
                                           std::size_t inner_transport) {
    const auto outer = read_network_frame(headers);
    if (!outer) return std::nullopt;
    HostTunnel tunnel;
    tunnel.outer = *outer;
    const std::size_t from = read_carrier(headers, tunnel);
    if (from == 0) return std::nullopt;
    const auto inner = find_inner(headers, length, from, inner_transport);
    // Parts of a sum must have even lengths.
    if (!inner || (inner->network - from) % 2 != 0) return std::nullopt;
    tunnel.inner = *inner;
    return tunnel;
}

std::optional<TransportFrame> read_carried(std::span<const uint8_t> frame) {
    const auto outer = read_network_frame(frame);
    if (!outer) return std::nullopt;
    HostTunnel tunnel;
    tunnel.outer = *outer;
    const std::size_t from = read_carrier(frame, tunnel);
    if (from == 0) return std::nullopt;
    const auto packet = [&](bool is_ipv6) {
        return read_transport_packet(frame, frame.size(), Lengths::checked, from, is_ipv6);
    };
    if (tunnel.is_udp) return read_frame_at(frame, frame_behind_udp(frame, from));
    if (outer->protocol != by_gre) return packet(outer->protocol == ipv6_in_ip);
    const uint16_t type = read_16(&frame[outer->end + 2U]);
    if (type == carries_frames) return read_frame_at(frame, from);
    if (type != carries_ipv4 && type != carries_ipv6) return std::nullopt;
    return packet(type == carries_ipv6);
}

void write_outer_headers(std::span<uint8_t> frame, const HostTunnel& tunnel, std::size_t number) {
    const NetworkFrame& outer = tunnel.outer;
    if (!outer.is_ipv6) {
        uint8_t* const id = &frame[outer.network + 4U];
        write_16(id, static_cast<uint16_t>(read_16(id) + number));
    }
    write_network_length(frame, outer.network, outer.end, outer.is_ipv6, frame.size());
    if (tunnel.is_udp) {
        write_16(&frame[outer.end + 4U], static_cast<uint16_t>(frame.size() - outer.end));
    }
    if (tunnel.sum != HostTunnel::Sum::none) write_sum(frame, tunnel);
}

}  // namespace sluice::offload

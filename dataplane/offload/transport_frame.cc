#include "dataplane/offload/transport_frame.h"

#include "dataplane/types/address.h"

namespace sluice::offload {
namespace {

constexpr uint16_t ipv4_type = 0x0800;
constexpr uint16_t ipv6_type = 0x86DD;
constexpr uint16_t customer_tag = 0x8100;
constexpr uint16_t service_tag = 0x88A8;
constexpr uint8_t tcp = 6;
constexpr uint8_t udp = 17;
constexpr uint8_t sctp = 132;
constexpr std::size_t ipv4_least = 20;
constexpr std::size_t ipv6_header = 40;
constexpr std::size_t tcp_least = 20;
constexpr std::size_t udp_header = 8;
constexpr std::size_t sctp_header = 12;
constexpr uint8_t hop_by_hop = 0;
constexpr uint8_t destination = 60;

// Returns the offset of the IP header; 0 if there is none.
std::size_t find_network(std::span<const uint8_t> octets, bool& is_ipv6) {
    std::size_t at = 12;
    for (int tags = 0; tags <= 2; ++tags, at += 4) {
        if (octets.size() < at + 2) return 0;
        const uint16_t type = read_16(&octets[at]);
        if (type == ipv4_type || type == ipv6_type) {
            is_ipv6 = type == ipv6_type;
            return at + 2;
        }
        if (type != customer_tag && type != service_tag) return 0;
    }
    return 0;
}

// Sets the offset of the transport, and returns its protocol; 0 if the packet is not plain.
uint8_t read_network(std::span<const uint8_t> octets, std::size_t length, Lengths lengths,
                     TransportFrame& at) {
    const uint8_t* const header = &octets[at.network];
    const std::size_t there = octets.size() - at.network;
    const std::size_t packet = length - at.network;
    if (at.is_ipv6) {
        if (there < ipv6_header || header[0] >> 4 != 6) return 0;
        if (lengths == Lengths::checked && read_16(header + 4) + ipv6_header != packet) return 0;
        at.transport = static_cast<uint16_t>(at.network + ipv6_header);
        return header[6];
    }
    if (there < ipv4_least || header[0] >> 4 != 4) return 0;
    const std::size_t octets_of_header = std::size_t{4} * (header[0] & 0xF);
    if (octets_of_header < ipv4_least || there < octets_of_header) return 0;
    if (lengths == Lengths::checked && read_16(header + 2) != packet) return 0;
    constexpr uint16_t more_or_offset = 0x3FFF;
    if ((read_16(header + 6) & more_or_offset) != 0) return 0;
    at.transport = static_cast<uint16_t>(at.network + octets_of_header);
    return header[9];
}

std::optional<TransportFrame> read_packet(std::span<const uint8_t> octets, std::size_t length,
                                          Lengths lengths, TransportFrame at) {
    if (length < octets.size() || octets.size() <= at.network) return std::nullopt;
    const uint8_t protocol = read_network(octets, length, lengths, at);
    const std::size_t there = octets.size() - at.transport;
    if (protocol == tcp && there >= tcp_least) {
        const std::size_t header = std::size_t{4} * (octets[at.transport + 12U] >> 4);
        if (header < tcp_least || there < header) return std::nullopt;
        at.is_tcp = true;
        at.payload = static_cast<uint16_t>(at.transport + header);
        return at;
    }
    if (protocol != udp || there < udp_header) return std::nullopt;
    const bool is_right = read_16(&octets[at.transport + 4U]) == length - at.transport;
    if (lengths == Lengths::checked && !is_right) return std::nullopt;
    at.payload = static_cast<uint16_t>(at.transport + udp_header);
    return at;
}

}  // namespace

std::optional<TransportFrame> read_transport_frame(std::span<const uint8_t> octets,
                                                   std::size_t length, Lengths lengths) {
    TransportFrame at;
    at.network = static_cast<uint16_t>(find_network(octets, at.is_ipv6));
    return at.network == 0 ? std::nullopt : read_packet(octets, length, lengths, at);
}

std::optional<TransportFrame> read_transport_packet(std::span<const uint8_t> octets,
                                                    std::size_t length, Lengths lengths,
                                                    std::size_t network, bool is_ipv6) {
    TransportFrame at;
    at.network = static_cast<uint16_t>(network);
    at.is_ipv6 = is_ipv6;
    return read_packet(octets, length, lengths, at);
}

std::optional<NetworkFrame> read_network_frame(std::span<const uint8_t> octets) {
    TransportFrame at;
    at.network = static_cast<uint16_t>(find_network(octets, at.is_ipv6));
    if (at.network == 0 || octets.size() <= at.network) return std::nullopt;
    uint8_t protocol = read_network(octets, octets.size(), Lengths::ignored, at);
    if (at.transport == 0) return std::nullopt;
    std::size_t end = at.transport;
    while (at.is_ipv6 && (protocol == hop_by_hop || protocol == destination)) {
        if (octets.size() < end + 8) return std::nullopt;
        protocol = octets[end];
        end += std::size_t{8} * (octets[end + 1] + 1U);
    }
    if (end > octets.size()) return std::nullopt;
    return NetworkFrame{.network = at.network,
                        .end = static_cast<uint16_t>(end),
                        .protocol = protocol,
                        .is_ipv6 = at.is_ipv6};
}

std::optional<Extent> find_sctp(std::span<const uint8_t> frame) {
    TransportFrame at;
    at.network = static_cast<uint16_t>(find_network(frame, at.is_ipv6));
    if (at.network == 0 || frame.size() <= at.network) return std::nullopt;
    if (read_network(frame, frame.size(), Lengths::ignored, at) != sctp) return std::nullopt;
    const uint8_t* const header = &frame[at.network];
    const std::size_t end =
        at.network + (at.is_ipv6 ? read_16(header + 4) + ipv6_header : read_16(header + 2));
    if (end > frame.size() || end < at.transport + sctp_header) return std::nullopt;
    return Extent{.at = at.transport, .octets = end - at.transport};
}

OnesSum pseudo_header_sum(std::span<const uint8_t> headers, const TransportFrame& at,
                          std::size_t transport_octets) {
    OnesSum sum;
    if (at.is_ipv6) {
        sum.add(headers.subspan(at.network + 8U, 32));
    } else {
        sum.add(headers.subspan(at.network + 12U, 8));
    }
    sum.add_number(at.is_tcp ? tcp : udp);
    sum.add_number(static_cast<uint16_t>(transport_octets));
    return sum;
}

void write_network_length(std::span<uint8_t> headers, std::size_t network, std::size_t end,
                          bool is_ipv6, std::size_t length) {
    uint8_t* const header = &headers[network];
    if (is_ipv6) {
        write_16(header + 4, static_cast<uint16_t>(length - network - ipv6_header));
        return;
    }
    write_16(header + 2, static_cast<uint16_t>(length - network));
    write_16(header + 10, 0);
    OnesSum sum;
    sum.add(headers.subspan(network, end - network));
    write_16(header + 10, sum.checksum());
}

void write_lengths(std::span<uint8_t> headers, const TransportFrame& at, std::size_t length) {
    write_network_length(headers, at.network, at.transport, at.is_ipv6, length);
    if (!at.is_tcp) {
        write_16(&headers[at.transport + 4U], static_cast<uint16_t>(length - at.transport));
    }
}

}  // namespace sluice::offload

// Transport frame: the offsets of the headers of an Ethernet frame that carries TCP or UDP over
// IPv4 or IPv6.
//
// Only plain frames are read: up to two tags, no fragment, no extension header of IPv6, and no
// octets after the IP packet. Only the headers must be present: `length` is the length of the whole
// frame.
// Bound: reads some 40 octets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/offload/ones_sum.h"

namespace sluice::offload {

inline constexpr std::size_t most_headers = 14 + 2 * 4 + 60 + 60;
inline constexpr std::size_t tcp_flags_offset = 13;  // in the TCP header

struct TransportFrame {
    uint16_t network = 0;    // offset of the IP header
    uint16_t transport = 0;  // offset of the TCP or UDP header
    uint16_t payload = 0;    // offset of the payload
    bool is_ipv6 = false;
    bool is_tcp = false;

    [[nodiscard]] std::size_t checksum_place() const { return transport + checksum_offset(); }
    [[nodiscard]] uint16_t checksum_offset() const { return is_tcp ? 16 : 6; }

    friend bool operator==(const TransportFrame&, const TransportFrame&) = default;
};

// Whether the lengths in the IP and UDP headers must match the frame, or will be written later.
enum class Lengths : uint8_t { checked, ignored };

// Returns none if the frame is not plain, or its headers are not all present.
std::optional<TransportFrame> read_transport_frame(std::span<const uint8_t> octets,
                                                   std::size_t length, Lengths lengths);

// As read_transport_frame, for a packet whose IP header is at offset `network`. The octets before
// that offset are not read.
std::optional<TransportFrame> read_transport_packet(std::span<const uint8_t> octets,
                                                    std::size_t length, Lengths lengths,
                                                    std::size_t network, bool is_ipv6);

// The IP header of a frame with any payload; used for the outer header of tunnels.
struct NetworkFrame {
    uint16_t network = 0;
    uint16_t end = 0;  // offset after IPv4 options, or IPv6 hop-by-hop and destination headers
    uint8_t protocol = 0;
    bool is_ipv6 = false;
};
// Returns none if the frame has no IP header, or is a fragment. The lengths in the header are not
// checked.
std::optional<NetworkFrame> read_network_frame(std::span<const uint8_t> octets);

// Returns the sum of the pseudo-header (RFC 9293 3.1, RFC 8200 8.1), for `transport_octets` octets
// from the transport header on.
OnesSum pseudo_header_sum(std::span<const uint8_t> headers, const TransportFrame& at,
                          std::size_t transport_octets);

// The SCTP packet (RFC 9260) in a frame: from its header to the end of the IP packet, without
// padding. None if the frame carries no SCTP, is a fragment, or is truncated.
struct Extent {
    std::size_t at = 0;
    std::size_t octets = 0;
};
std::optional<Extent> find_sctp(std::span<const uint8_t> frame);

// Writes the lengths of IP and UDP for a frame of `length` octets, and the checksum of IPv4.
void write_lengths(std::span<uint8_t> headers, const TransportFrame& at, std::size_t length);
// Writes the length, and for IPv4 the checksum, of the IP header that ends at `end`.
void write_network_length(std::span<uint8_t> headers, std::size_t network, std::size_t end,
                          bool is_ipv6, std::size_t length);

}  // namespace sluice::offload

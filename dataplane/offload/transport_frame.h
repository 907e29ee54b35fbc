// Transport frame: an Ethernet frame that carries TCP or UDP over IPv4 or IPv6, taken apart.
//
// Only plain frames: up to two tags, no fragment, no extension header of IPv6, and nothing behind
// the IP packet. Only the headers have to be present: `length` is the length of the whole frame.
// Bound: reads some 40 octets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/offload/ones_sum.h"

namespace sluice::offload {

inline constexpr std::size_t most_headers = 14 + 2 * 4 + 60 + 60;
inline constexpr std::size_t tcp_flags_offset = 13;  // behind `transport`

struct TransportFrame {
    uint16_t network = 0;    // octet at which the IP header starts
    uint16_t transport = 0;  // and that of TCP or UDP
    uint16_t payload = 0;    // how many octets of headers there are
    bool is_ipv6 = false;
    bool is_tcp = false;

    [[nodiscard]] std::size_t checksum_place() const { return transport + checksum_offset(); }
    [[nodiscard]] uint16_t checksum_offset() const { return is_tcp ? 16 : 6; }

    friend bool operator==(const TransportFrame&, const TransportFrame&) = default;
};

// Whether the lengths in the IP and UDP headers must match the frame, or will be written later.
enum class Lengths : uint8_t { checked, ignored };

// Returns nothing if the frame is not such a frame, or its headers are not all present.
std::optional<TransportFrame> read_transport_frame(std::span<const uint8_t> octets,
                                                   std::size_t length, Lengths lengths);

// The same for a packet whose IP header starts at octet `network`, whatever is in front of it.
std::optional<TransportFrame> read_transport_packet(std::span<const uint8_t> octets,
                                                    std::size_t length, Lengths lengths,
                                                    std::size_t network, bool is_ipv6);

// The IP header of a frame, whatever follows it; used for the outer header of tunnels.
struct NetworkFrame {
    uint16_t network = 0;
    uint16_t end = 0;  // behind its options, of IPv6 those of hop-by-hop and destination headers
    uint8_t protocol = 0;
    bool is_ipv6 = false;
};
// Returns nothing if the frame has no IP header, or is a fragment. The lengths in the header are
// not checked.
std::optional<NetworkFrame> read_network_frame(std::span<const uint8_t> octets);

// The sum of the pseudo-header (RFC 9293 3.1, RFC 8200 8.1), for `transport_octets` octets from the
// transport header on.
OnesSum pseudo_header_sum(std::span<const uint8_t> headers, const TransportFrame& at,
                          std::size_t transport_octets);

// The packet of SCTP (RFC 9260) in a frame: from its header to the end of the IP packet, without
// padding. Empty: the frame carries none, is a fragment, or is cut short.
struct Extent {
    std::size_t at = 0;
    std::size_t octets = 0;
};
std::optional<Extent> find_sctp(std::span<const uint8_t> frame);

// Writes the lengths of IP and UDP for a frame of `length` octets, and the checksum of IPv4.
void write_lengths(std::span<uint8_t> headers, const TransportFrame& at, std::size_t length);
// Writes the length of the IP header alone, which ends before `end`, IPv4 options included.
void write_network_length(std::span<uint8_t> headers, std::size_t network, std::size_t end,
                          bool is_ipv6, std::size_t length);

}  // namespace sluice::offload

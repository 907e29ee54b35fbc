// Host tunnel: a frame or segment within a tunnel of its host's own, such as a kernel's VXLAN
// device. The host leaves the inner TCP or UDP to be finished or cut, and of a segment each frame
// gets the headers in front of it: with an identification, lengths and checksums of its own.
//
// Carried by UDP (VXLAN, Geneve, GUE: whatever is between UDP and the inner IP header is copied),
// by GRE with a key or a checksum, or by IP itself. A virtio header says where the inner transport
// starts and no more, so the inner IP header is looked for in front of that: one that ends there,
// states its length and, of IPv4, has a right checksum.
// An outer checksum that is there is computed, and one of UDP that is absent stays absent, as the
// kernel's segmentation does. It takes no pass over the payload: an inner transport with a right
// checksum sums up to the complement of its pseudo-header.
// Not done here: a tunnel within a tunnel, GRE with sequence numbers, and fragments.
// Bound: reads some 60 octets, and 140 where the inner header has options.
// Source: Linux net/ipv4/udp_offload.c, gre_offload.c, Documentation/networking/checksum-offloads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/offload/transport_frame.h"

namespace sluice::offload {

// Of both packets, with two tags on each frame and all options of Geneve.
inline constexpr std::size_t most_tunnel_headers = 14 + 2 * 4 + 60 + 8 + 260 + most_headers;

struct HostTunnel {
    enum class Sum : uint8_t { none, udp, gre };

    NetworkFrame outer;
    bool is_udp = false;
    Sum sum = Sum::none;
    TransportFrame inner;  // all of it, behind what carries it
};

// `inner_transport`: the octet at which it starts. Nothing: it is in none of those tunnels.
std::optional<HostTunnel> read_host_tunnel(std::span<const uint8_t> headers, std::size_t length,
                                           std::size_t inner_transport);

// The packet of TCP or UDP in a whole frame where nobody says where it starts: VXLAN and Geneve by
// their ports, of GRE and IP by what they carry. Nothing: it carries none.
std::optional<TransportFrame> read_carried(std::span<const uint8_t> frame);

// Writes what is the frame's own in the headers in front of its inner packet, which is finished.
// `number`: of the frame among those of its segment.
void write_outer_headers(std::span<uint8_t> frame, const HostTunnel& tunnel, std::size_t number);

}  // namespace sluice::offload

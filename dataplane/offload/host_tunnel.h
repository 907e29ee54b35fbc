// Host tunnel: a frame or segment inside a tunnel of the host itself, such as a kernel's VXLAN
// device. The host leaves the inner TCP or UDP unfinished or uncut. Each frame cut from a segment
// gets a copy of the outer headers, with an identification, lengths and checksums of its own.
//
// Carried by UDP (VXLAN, Geneve, GUE: whatever is between UDP and the inner IP header is copied),
// by GRE with a key or a checksum, or by IP itself. A virtio header gives only the start of the
// inner transport. So the inner IP header is searched for in front of it: a header that ends there,
// states the right length and, for IPv4, has a right checksum.
// An outer checksum is computed if it is present; an absent checksum of UDP stays absent, as with
// the kernel's segmentation. This takes no pass over the payload: an inner transport with a right
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

// The headers of both packets, with two tags on each frame and all options of Geneve.
inline constexpr std::size_t most_tunnel_headers = 14 + 2 * 4 + 60 + 8 + 260 + most_headers;

struct HostTunnel {
    enum class Sum : uint8_t { none, udp, gre };

    NetworkFrame outer;
    bool is_udp = false;
    Sum sum = Sum::none;
    TransportFrame inner;  // all of it, behind what carries it
};

// `inner_transport`: the octet at which it starts. Empty: the frame is in none of those tunnels.
std::optional<HostTunnel> read_host_tunnel(std::span<const uint8_t> headers, std::size_t length,
                                           std::size_t inner_transport);

// The packet of TCP or UDP in a whole frame, if its start is unknown: VXLAN and Geneve are
// recognised by their ports, GRE and IP by their payload. Empty: the frame carries none.
std::optional<TransportFrame> read_carried(std::span<const uint8_t> frame);

// Writes the outer headers of one frame; the inner packet is finished already. `number`: the number
// of the frame within its segment.
void write_outer_headers(std::span<uint8_t> frame, const HostTunnel& tunnel, std::size_t number);

}  // namespace sluice::offload

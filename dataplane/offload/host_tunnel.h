// Host tunnel: a frame or segment inside a tunnel of the host itself, such as a kernel's VXLAN
// device. The host leaves the checksum of the inner TCP or UDP uncomputed, or the segment uncut.
// Each frame cut from a segment gets a copy of the outer headers, with an identification, lengths
// and checksums of its own.
//
// The tunnel is UDP (VXLAN, Geneve, GUE: all octets between UDP and the inner IP header are
// copied), GRE with a key or a checksum, or IP in IP. A virtio header gives only the start of the
// inner transport. So the inner IP header is searched for before that start: a header that ends at
// the inner transport, has the right length and, for IPv4, a right checksum.
// An outer checksum is computed if it is present; an absent checksum of UDP stays absent, as with
// the kernel's segmentation. This needs no pass over the payload: an inner transport with a right
// checksum sums up to the complement of its pseudo-header.
// Not here: a tunnel within a tunnel, GRE with sequence numbers, and fragments.
// Bound: reads some 60 octets, and 140 if the inner header has options.
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
    TransportFrame inner;  // the inner packet; its offsets count from the start of the frame
};

// Returns the tunnel, or none if the frame is in no tunnel of these kinds. `inner_transport`: the
// offset of the inner transport.
std::optional<HostTunnel> read_host_tunnel(std::span<const uint8_t> headers, std::size_t length,
                                           std::size_t inner_transport);

// Finds the TCP or UDP packet that a whole frame carries, if its offset is unknown: VXLAN and
// Geneve are recognised by their ports, GRE and IP by their payload. Returns none if there is no
// packet.
std::optional<TransportFrame> read_carried(std::span<const uint8_t> frame);

// Writes the outer headers of one frame, whose inner packet must be complete. `number`: the number
// of the frame within its segment.
void write_outer_headers(std::span<uint8_t> frame, const HostTunnel& tunnel, std::size_t number);

}  // namespace sluice::offload

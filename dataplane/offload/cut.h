// Cut: cuts a segment of a host into frames of the wire (TCP segmentation offload, UDP segmentation
// offload) with computed checksums, as the kernel's own segmentation does: sequence numbers and the
// IPv4 identification are advanced, FIN and PSH are set in the last frame, CWR in the first. A
// segment may also be inside a tunnel of the host itself (host_tunnel.h).
//
// The caller copies the payload of each frame, after room for the headers; `write_headers` writes
// to that room. So the payload is copied once, and its checksum is computed while it is in the
// cache. Bound: for each frame, its headers and one pass over its payload.
// Not here: a tunnel within a tunnel, extension headers of IPv6, SCTP.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/offload/host_tunnel.h"
#include "dataplane/offload/transport_frame.h"
#include "dataplane/offload/unfinished.h"

namespace sluice::offload {

class Cut {
  public:
    // Returns the Cut of a segment; none if the frame is no segment of TCP or UDP, or its headers
    // contradict `left`, the offloads that the host requested. `front`: the first octets of the
    // frame, most_tunnel_headers of them or all; `length`: the length of the frame.
    static std::optional<Cut> of(std::span<const uint8_t> front, std::size_t length,
                                 const Unfinished& left);

    [[nodiscard]] std::size_t frames() const { return frames_; }
    [[nodiscard]] std::size_t header_octets() const { return at_.payload; }
    // Return the offset of the payload of frame `number` in the segment; and the payload's length.
    [[nodiscard]] std::size_t payload_at(std::size_t number) const {
        return at_.payload + number * segment_octets_;
    }
    [[nodiscard]] std::size_t payload_octets(std::size_t number) const {
        return number + 1 < frames_ ? segment_octets_ : length_ - payload_at(number);
    }
    // Writes the headers of frame `number`. `frame`: room for header_octets, followed by the
    // payload.
    void write_headers(std::size_t number, std::span<uint8_t> frame) const;

  private:
    Cut() = default;
    bool find(std::span<const uint8_t> headers, std::size_t length, const Unfinished& left);
    // Returns the offset of the outermost IP packet.
    [[nodiscard]] std::size_t packet_at() const {
        return tunnel_ ? tunnel_->outer.network : at_.network;
    }

    std::array<uint8_t, most_tunnel_headers> headers_;
    TransportFrame at_;  // the packet that is cut; in a tunnel the inner packet
    std::optional<HostTunnel> tunnel_;
    std::size_t length_ = 0;
    std::size_t segment_octets_ = 0;
    std::size_t frames_ = 0;
};

}  // namespace sluice::offload

// Cut: cuts a segment that a host handed over whole into frames of the wire (TCP segmentation
// offload, UDP segmentation offload), with finished checksums, as the kernel's own segmentation
// does: sequence numbers and the IPv4 identification count on, FIN and PSH stay with the last
// frame, CWR with the first. A segment may also be inside a tunnel of the host itself
// (host_tunnel.h).
//
// The caller copies the payload of each frame behind room for the headers; `write_headers` fills
// that room. So the payload is copied once, and its checksum is computed while it is in the cache.
// Bound: for each frame, its headers and one pass over its payload.
// Not done here: a tunnel within a tunnel, extension headers of IPv6, SCTP.
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
    // `front`: the first octets of the frame, most_tunnel_headers of them or all; `length`: the
    // length of the frame. Empty: the frame is no such segment, or its headers contradict `left`.
    static std::optional<Cut> of(std::span<const uint8_t> front, std::size_t length,
                                 const Unfinished& left);

    [[nodiscard]] std::size_t frames() const { return frames_; }
    [[nodiscard]] std::size_t header_octets() const { return at_.payload; }
    // For frame `number`: where in the segment its payload starts, and how many octets it has.
    [[nodiscard]] std::size_t payload_at(std::size_t number) const {
        return at_.payload + number * segment_octets_;
    }
    [[nodiscard]] std::size_t payload_octets(std::size_t number) const {
        return number + 1 < frames_ ? segment_octets_ : length_ - payload_at(number);
    }
    // `frame`: room for header_octets, followed by the payload.
    void write_headers(std::size_t number, std::span<uint8_t> frame) const;

  private:
    Cut() = default;
    bool find(std::span<const uint8_t> headers, std::size_t length, const Unfinished& left);
    // The octet at which the outermost IP packet starts.
    [[nodiscard]] std::size_t packet_at() const {
        return tunnel_ ? tunnel_->outer.network : at_.network;
    }

    std::array<uint8_t, most_tunnel_headers> headers_;
    TransportFrame at_;  // of what is cut: in a tunnel the inner packet
    std::optional<HostTunnel> tunnel_;
    std::size_t length_ = 0;
    std::size_t segment_octets_ = 0;
    std::size_t frames_ = 0;
};

}  // namespace sluice::offload

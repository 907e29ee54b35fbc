// Join: joins consecutive frames of a flow into one segment, for an interface that accepts whole
// segments (TCP and UDP segmentation offload): the receiving kernel then handles one packet in
// place of up to 45.
//
// Frames are joined only if `Cut`, and a kernel's segmentation, turn the segment back into the same
// frames, octet by octet. Their headers are equal except for sequence numbers and identification,
// and all but the last carry equally many octets. Flags other than ACK and a last PSH, and
// checksums that are wrong, absent or ambiguous (0 and 0xFFFF), keep a frame single. So a damaged
// frame stays damaged.
// Bound: for each frame, its headers, and one pass over its payload unless its checksum is known to
// be right.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/offload/transport_frame.h"
#include "dataplane/offload/unfinished.h"

namespace sluice::offload {

// Whether the checksum of a frame's transport is known to be right.
enum class Checksum : uint8_t { unknown, right };

class Join {
  public:
    static constexpr std::size_t most_frames = 64;

    // The protocols whose frames may be joined.
    struct Kinds {
        bool tcp4 = false;
        bool tcp6 = false;
        bool udp = false;
        [[nodiscard]] bool any() const { return tcp4 || tcp6 || udp; }
    };

    // Begins a segment with this frame; returns false if no frame can follow it. Keeps only the
    // frame's headers.
    bool start(std::span<const uint8_t> frame, Checksum checksum, const Kinds& kinds);
    // Adds the frame to the segment. Returns false if the frame does not continue the segment.
    bool add(std::span<const uint8_t> frame, Checksum checksum);
    [[nodiscard]] std::size_t frames() const { return frames_; }
    // Returns the offset of the IP header.
    [[nodiscard]] std::size_t network() const { return at_.network; }
    // Returns the headers of the segment, and sets `left` to the offloads that the segment needs:
    // its checksum and its segmentation. The payload of the segment is the payloads of the frames
    // in order.
    std::span<const uint8_t> finish(Unfinished& left);

  private:
    [[nodiscard]] bool follows(std::span<const uint8_t> frame) const;

    std::array<uint8_t, most_headers> headers_;
    TransportFrame at_;
    std::size_t frames_ = 0;
    std::size_t length_ = 0;
    std::size_t segment_octets_ = 0;
    bool is_closed_ = true;  // whether no frame may follow
};

}  // namespace sluice::offload

// Join: makes one segment of frames of a flow that follow one another, for an interface that takes
// segments whole (TCP and UDP segmentation offload): the far kernel then handles one in place of
// up to 45.
//
// Frames are joined only where `Cut`, and a kernel's segmentation, make the same frames of the
// segment again, octet by octet: their headers are equal but for what counts on; all but the last
// carry equally much; flags other than ACK and a last PSH, and checksums that are wrong, absent or
// of two spellings (0 and 0xFFFF) keep a frame single. So a damaged frame stays damaged.
// Bound: a frame costs its headers, and one pass over its payload unless its checksum is known to
// be right.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/offload/transport_frame.h"
#include "dataplane/offload/unfinished.h"

namespace sluice::offload {

// Of a frame's transport: computed here, or by whoever sent it.
enum class Checksum : uint8_t { unknown, right };

class Join {
  public:
    static constexpr std::size_t most_frames = 64;

    // What may be joined.
    struct Kinds {
        bool tcp4 = false;
        bool tcp6 = false;
        bool udp = false;
        [[nodiscard]] bool any() const { return tcp4 || tcp6 || udp; }
    };

    // Whether others may follow this frame; then it is the first. It is not kept: only its headers.
    bool start(std::span<const uint8_t> frame, Checksum checksum, const Kinds& kinds);
    // Whether it follows; then it is part of the segment.
    bool add(std::span<const uint8_t> frame, Checksum checksum);
    [[nodiscard]] std::size_t frames() const { return frames_; }
    [[nodiscard]] std::size_t header_octets() const { return at_.payload; }
    // Octet at which its IP header starts.
    [[nodiscard]] std::size_t network() const { return at_.network; }
    // Of the segment: its headers, and what is left to do for it. Its payload is that of the
    // frames, one behind the other.
    std::span<const uint8_t> finish(Unfinished& left);

  private:
    [[nodiscard]] bool follows(std::span<const uint8_t> frame) const;

    std::array<uint8_t, most_headers> headers_;
    TransportFrame at_;
    std::size_t frames_ = 0;
    std::size_t length_ = 0;
    std::size_t segment_octets_ = 0;
    bool is_closed_ = true;  // the last frame has been added
};

}  // namespace sluice::offload

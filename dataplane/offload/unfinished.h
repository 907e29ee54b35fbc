// Unfinished: what a host left to do for a frame, as virtio's header in front of the frame states
// it (virtio 1.2, 5.1.6): a checksum, of which only the pseudo-header's sum is written; and, for a
// segment longer than the wire permits, cutting it into frames of `segment_octets` of payload each.
#pragma once

#include <cstdint>

namespace sluice::offload {

enum class Segments : uint8_t { none, tcp4, tcp6, udp };

struct Unfinished {
    bool checksum = false;
    uint16_t checksum_start = 0;   // octet of the frame from which on the checksum is computed
    uint16_t checksum_offset = 0;  // of its place, behind that
    Segments segments = Segments::none;
    uint16_t segment_octets = 0;

    friend bool operator==(const Unfinished&, const Unfinished&) = default;
};

}  // namespace sluice::offload

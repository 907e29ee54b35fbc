// Unfinished: the offloads that a host requests for a frame by the virtio header before it (virtio
// 1.2, 5.1.6): to compute the checksum, of which only the pseudo-header's sum is written; and to
// cut a segment that is too long for the wire into frames of `segment_octets` of payload each.
#pragma once

#include <cstdint>

namespace sluice::offload {

enum class Segments : uint8_t { none, tcp4, tcp6, udp };

struct Unfinished {
    bool checksum = false;
    uint16_t checksum_start = 0;   // offset in the frame from which on the checksum is computed
    uint16_t checksum_offset = 0;  // offset of the checksum field from `checksum_start`
    Segments segments = Segments::none;
    uint16_t segment_octets = 0;

    friend bool operator==(const Unfinished&, const Unfinished&) = default;
};

}  // namespace sluice::offload

// Arrival: a frame, or a segment that becomes several frames, as the kernel passes it to us.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/offload/unfinished.h"

namespace sluice::pmd::packet {

struct Arrival {
    std::span<const uint8_t> octets;  // octets in the ring, without the separate tag
    std::size_t length = 0;           // length of the whole frame, without the separate tag
    offload::Unfinished left;
    // Type and control information, as on the wire; 0 if the frame has no separate tag.
    uint32_t tag = 0;
    bool is_whole = true;  // false: `octets` is the start; `read_whole` reads all if `can_be_had`
    bool can_be_had = true;
};

}  // namespace sluice::pmd::packet

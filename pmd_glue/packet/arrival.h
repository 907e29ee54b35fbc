// Arrival: a frame, or a segment of several, as the kernel hands it over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "dataplane/offload/unfinished.h"

namespace sluice::pmd::packet {

struct Arrival {
    std::span<const uint8_t> octets;  // what of it is in the ring, without the tag beside it
    std::size_t length = 0;           // of the frame, likewise
    offload::Unfinished left;
    uint32_t tag = 0;      // type and control information, as on the wire; 0: none beside it
    bool is_whole = true;  // else `read_whole` reads it, if it can be had
    bool can_be_had = true;
};

}  // namespace sluice::pmd::packet

// Finish: computes the checksum of a frame whose host left the pseudo-header's sum in its place.
// Bound: one pass over the octets from `checksum_start` on.
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/offload/unfinished.h"

namespace sluice::offload {

// False: its place lies outside of the frame, which stays as it is.
bool finish_checksum(std::span<uint8_t> frame, const Unfinished& left);

}  // namespace sluice::offload

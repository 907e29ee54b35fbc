// Finish: computes the checksum of a frame whose host wrote only the pseudo-header's sum to the
// checksum field.
// Bound: one pass over the octets from `checksum_start` on. A sum may include the padding of a
// frame, which is zeros; the CRC of SCTP ends with the IP packet.
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/offload/unfinished.h"

namespace sluice::offload {

// Returns false, without a change, if the checksum field is outside of the frame; or if the
// checksum is SCTP's, and no complete SCTP packet starts at `checksum_start`.
bool finish_checksum(std::span<uint8_t> frame, const Unfinished& left);

// Computes the checksum if the frame is unfinished; returns whether it was unfinished. For hosts
// that do not report unfinished frames: a TCP or UDP frame counts as unfinished if its checksum
// field has the pseudo-header's sum, and that sum is not the right checksum. A frame inside a
// tunnel of the host counts in the same way; with the inner checksum computed, the outer checksum
// is right too. One in 65,536 damaged frames is mistaken for unfinished, and gets a valid checksum.
// Bound: reads some 40 octets of each frame, and all of an unfinished one.
bool finish_if_left(std::span<uint8_t> frame);

}  // namespace sluice::offload

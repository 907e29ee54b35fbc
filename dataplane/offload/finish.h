// Finish: computes the checksum of a frame whose host left the pseudo-header's sum in its place.
// Bound: one pass over the octets from `checksum_start` on. What pads a frame is zeros, which a sum
// may cover; the CRC of SCTP ends with the IP packet.
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/offload/unfinished.h"

namespace sluice::offload {

// False: its place lies outside of the frame, or it is SCTP's and the frame carries no whole packet
// of SCTP from there on; the frame stays as it is.
bool finish_checksum(std::span<uint8_t> frame, const Unfinished& left);

// Likewise where nobody says whether something was left: a TCP or UDP frame with the
// pseudo-header's sum in place of its checksum, and no other sum that would be right, is taken for
// unfinished; likewise one in a tunnel of its host's own, whose outer checksum is right then. Of
// 65,536 damaged frames one is taken for such, and mended.
// Bound: reads some 40 octets of each frame, and all of one that is unfinished. False: it is not.
bool finish_if_left(std::span<uint8_t> frame);

}  // namespace sluice::offload

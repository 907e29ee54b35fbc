// Finish: computes the checksum of a frame whose host left only the pseudo-header's sum in the
// checksum field.
// Bound: one pass over the octets from `checksum_start` on. The padding of a frame is zeros, which
// a sum may cover; the CRC of SCTP ends with the IP packet.
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/offload/unfinished.h"

namespace sluice::offload {

// Returns false if the checksum field lies outside of the frame, or is SCTP's and no whole packet
// of SCTP starts there; the frame then stays unchanged.
bool finish_checksum(std::span<uint8_t> frame, const Unfinished& left);

// The same if it is unknown whether a checksum was left to do. A TCP or UDP frame with the
// pseudo-header's sum in its checksum field, which is not the right checksum, is taken for
// unfinished. So is a frame in a tunnel of its host, whose outer checksum becomes right by
// finishing the inner one. One in 65,536 damaged frames is mistaken for unfinished, and gets a
// valid checksum.
// Bound: reads some 40 octets of each frame, and all of an unfinished one. False: the frame is not
// unfinished.
bool finish_if_left(std::span<uint8_t> frame);

}  // namespace sluice::offload

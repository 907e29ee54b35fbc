// Checksum mark: on the buffer of a frame whose checksum was computed here, or was found right by
// its host, so that nobody computes it again to join the frame with others.
#pragma once

#include <rte_mbuf.h>

#include <cstdint>

namespace sluice::pmd::packet {

inline constexpr uint64_t checksum_is_right = RTE_MBUF_F_RX_L4_CKSUM_GOOD;

}  // namespace sluice::pmd::packet

// Checksum mark: marks the buffer of a frame whose checksum was computed here, or was verified by
// its host, so that joining frames does not compute it again.
#pragma once

#include <rte_mbuf.h>

#include <cstdint>

namespace sluice::pmd::packet {

inline constexpr uint64_t checksum_is_right = RTE_MBUF_F_RX_L4_CKSUM_GOOD;

}  // namespace sluice::pmd::packet

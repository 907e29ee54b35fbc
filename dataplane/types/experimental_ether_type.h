// The EtherType that IEEE 802 leaves for local experiments: of frames that switches of this kind
// send each other on a link. What tells them apart stands behind it.
#pragma once

#include <cstdint>

namespace sluice {

inline constexpr uint16_t experimental_ether_type = 0x88B5;

}  // namespace sluice

// The EtherType that IEEE 802 leaves for local experiments: used by frames that Sluice switches
// send each other on a link. An identifier behind it distinguishes them.
#pragma once

#include <cstdint>

namespace sluice {

inline constexpr uint16_t experimental_ether_type = 0x88B5;

}  // namespace sluice

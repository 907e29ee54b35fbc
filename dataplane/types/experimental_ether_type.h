// The EtherType of IEEE 802 for local experiments. Frames that two Sluice switches exchange on a
// link have this EtherType; the identifier after the EtherType distinguishes the kinds of these
// frames.
#pragma once

#include <cstdint>

namespace sluice {

inline constexpr uint16_t experimental_ether_type = 0x88B5;

}  // namespace sluice

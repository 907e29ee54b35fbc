// LinkPeer: whether the other end of a link supports a feature that the port offers, according to
// LLDP. `several`: there are several neighbours, some with support, and it is unknown which of them
// is the peer. `no_lldp`: LLDP is disabled at the port.
#pragma once

#include <cstdint>

namespace sluice {

enum class LinkPeer : uint8_t { unknown, able, unable, several, no_lldp };

}  // namespace sluice

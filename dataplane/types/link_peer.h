// LinkPeer: whether the other end of a link supports a feature that our port offers there, as
// reported by LLDP. `several`: some of several neighbours support it, and it is unknown which of
// them is the peer; `no_lldp`: LLDP is disabled at the port.
#pragma once

#include <cstdint>

namespace sluice {

enum class LinkPeer : uint8_t { unknown, able, unable, several, no_lldp };

}  // namespace sluice

// LinkPeer: whether the other end of a link can do what a port of ours offers there, by LLDP.
// `several`: of several neighbours some do, and which one is the peer is not known; `no_lldp`: LLDP
// is disabled at the port.
#pragma once

#include <cstdint>

namespace sluice {

enum class LinkPeer : uint8_t { unknown, able, unable, several, no_lldp };

}  // namespace sluice

// Fanout: spreads the frames of one interface over several receive rings, so that several workers
// receive.
//
// The ring is chosen by the IP addresses, if IP follows the MAC header directly, else by the MAC
// addresses. So a flow, fragments included, stays in one ring and keeps its order. Frames that end
// at the neighbour (pauses, LLDP) use the first ring.
// Bound: a program of some 20 steps a frame, run by the kernel as the frame arrives.
// Limit: all frames between the same two hosts in one direction use one ring.
// Source: packet(7), PACKET_FANOUT; Documentation/networking/filter.rst.
#pragma once

#include <cstdint>
#include <optional>

#include "pmd_glue/nic/packet_socket.h"

namespace sluice::pmd::packet {

// Makes a group whose first socket is `socket`. Returns nothing if the kernel refuses.
std::optional<uint16_t> begin_fanout(const nic::PacketSocket& socket);
// Call it before the socket is bound: the socket receives nothing until `join_fanout`.
bool close_until_joined(const nic::PacketSocket& socket);
bool join_fanout(const nic::PacketSocket& socket, uint16_t group);

}  // namespace sluice::pmd::packet

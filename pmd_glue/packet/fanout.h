// Fanout: several receive rings of one interface, each frame in one of them, so that as many
// workers receive.
//
// Which one: by the addresses of IP where the frame has such right behind its MAC header, else by
// its MAC addresses. So a flow, fragments with it, stays in one ring and keeps its order. What is
// for the neighbour alone (pauses, LLDP) comes by the first.
// Bound: a program of some 20 steps a frame, run by the kernel as the frame arrives.
// Limit: what one host sends to one other comes by one ring.
// Source: packet(7), PACKET_FANOUT; Documentation/networking/filter.rst.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pmd_glue/nic/packet_socket.h"

namespace sluice::pmd::packet {

// Makes a group of the socket, the first. Nothing: the kernel refuses.
std::optional<uint16_t> begin_fanout(const nic::PacketSocket& socket);
// Before it is bound: until then nothing comes by it.
bool close_until_joined(const nic::PacketSocket& socket);
bool join_fanout(const nic::PacketSocket& socket, uint16_t group);

}  // namespace sluice::pmd::packet

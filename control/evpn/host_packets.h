// Host packets: reads ARP and neighbour discovery packets of hosts, and writes answers on behalf of
// another host, for ARP and ND suppression. Packets are whole frames as a port received them;
// `tagged`: the frame has a tag of the port's type. Pure.
//
// A claim to an address counts only if the frame's source is the MAC that the packet names. Packets
// that a host must ignore (neighbours/arp.h, neighbour_discovery.h) are ignored. An answer looks as
// if the host itself had sent it (RFC 9161 3.2, and as Linux does), with the tag of the request.
// Bound: a few passes over the octets of the frame.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "control/evpn/messages.h"
#include "dataplane/types/address.h"
#include "dataplane/types/ip_address.h"

namespace sluice::control::evpn {

struct HostPacket {
    std::optional<Station> says;    // the sender's own addresses, if the packet announces them
    std::optional<bool> router;     // whether the sender is a router, if the packet states it
    std::optional<IpAddress> asks;  // the address that a multicast or broadcast request asks for
    MacAddress from = {};
};

std::optional<HostPacket> read_host_packet(std::span<const uint8_t> octets, bool tagged);
// Returns the answer to `question`, a request for the MAC of `station`, on behalf of that station.
// Returns an empty packet if `question` is neither an ARP packet nor a neighbour solicitation.
Octets answer_to(std::span<const uint8_t> question, bool tagged, const Station& station);

}  // namespace sluice::control::evpn

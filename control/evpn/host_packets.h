// Questions: what hosts say in ARP and neighbour discovery, and the answers in another's name (ARP
// and ND suppression), of whole frames as a port received them, `tagged` where the port took their
// tag for its own. Pure.
//
// A station is believed that speaks for itself: its frame's source is what the packet says. What
// neither protocol would have a host believe (neighbours/arp.h, discovery.h) says and asks nothing.
// An answer is as of the station itself (RFC 9161 3.2, and as Linux has it), with the tag of the
// question.
// Bound: the octets of the frame, a few times.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "control/evpn/messages.h"
#include "dataplane/address.h"
#include "dataplane/ip_address.h"

namespace sluice::control::evpn {

struct HostPacket {
    std::optional<Station> says;    // of itself
    std::optional<bool> router;     // whether it says that it is one, where it says
    std::optional<IpAddress> asks;  // for somebody else, of everybody
    MacAddress from = {};
};

std::optional<HostPacket> read_host_packet(std::span<const uint8_t> octets, bool tagged);
// To a question; `station` is who was asked for. Empty: it is none.
Octets answer_to(std::span<const uint8_t> question, bool tagged, const Station& station);

}  // namespace sluice::control::evpn

// NeighbourPacket: sender and target of a packet of ARP (RFC 826) or neighbour discovery (RFC 4861
// 4.3, 4.4), as far as a switch needs them to suppress the flooding of requests.
//
// The packet is read behind the tag that names the VLAN, if there is one. A packet behind a further
// tag belongs to a VLAN within that VLAN and is not read. A question is a request to all stations,
// or to the solicited-node group of its target, for an address other than the sender's own. Not
// questions are: a probe, whose sender has no address yet (only the owner answers duplicate address
// detection), an announcement, and a request to one station.
// Bound: the headers read, all within the octets (fuzzed). Not done here: checksums and options,
// which concern the station that answers; packets behind IPv6 extension headers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/types/address.h"
#include "dataplane/types/ip_address.h"

namespace sluice {

struct NeighbourPacket {
    std::optional<IpAddress> target;  // of a question
    std::optional<IpAddress> sender;  // who says that it is at `mac`, the frame's source
    MacAddress mac = {};
    std::optional<bool> router;  // whether the sender says that it is one, where it says
};

// `tagged`: the frame has a tag of its port's type.
std::optional<NeighbourPacket> read_neighbour_packet(std::span<const uint8_t> octets, bool tagged);

}  // namespace sluice

// NeighbourPacket: of ARP (RFC 826) and neighbour discovery (RFC 4861 4.3, 4.4), who speaks and who
// is asked for, as far as a switch has to know it to keep such questions from being flooded.
//
// Read behind the tag that names the VLAN, where there is one: what is behind a further tag is of a
// VLAN within that VLAN, and none here. A question is a request that everybody hears, or the group
// of its target does, for another address than the sender's own. None is a probe, whose sender has
// no address yet: whether one is free its owner is to say; nor an announcement, nor who asks one
// station again.
// Bound: the headers read, all within the octets (fuzzed). Not looked at: checksums and options,
// which are for who answers; packets behind IPv6 extension headers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/address.h"
#include "dataplane/ip_address.h"

namespace sluice {

struct NeighbourPacket {
    std::optional<IpAddress> target;  // of a question
    std::optional<IpAddress> sender;  // who says that it is at `mac`, the frame's source
    MacAddress mac = {};
    std::optional<bool> router;  // whether the sender says that it is one, where it says
};

// `tagged`: the frame has a tag of its port's.
std::optional<NeighbourPacket> read_neighbour_packet(std::span<const uint8_t> octets, bool tagged);

}  // namespace sluice

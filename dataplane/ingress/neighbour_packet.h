// NeighbourPacket: of ARP (RFC 826) and neighbour discovery (RFC 4861 4.3, 4.4), who speaks and who
// is asked for, as far as a switch has to know it to keep such questions from being flooded.
//
// Read behind the tag that names the VLAN, where there is one: what is behind a further tag is of a
// VLAN within that VLAN, and none here. A question is a request to all stations, or to the
// solicited-node group of its target, for another address than the sender's own. No question is a
// probe, whose sender has no address yet (duplicate address detection is for the owner to answer),
// an announcement, or a request to one station.
// Bound: the headers read, all within the octets (fuzzed). Not looked at: checksums and options,
// which are for who answers; packets behind IPv6 extension headers.
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

// `tagged`: the frame has a tag of its port's.
std::optional<NeighbourPacket> read_neighbour_packet(std::span<const uint8_t> octets, bool tagged);

}  // namespace sluice

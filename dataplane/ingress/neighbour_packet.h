// NeighbourPacket: sender and target of a packet of ARP (RFC 826) or neighbour discovery (RFC 4861
// 4.3, 4.4), which a switch needs to suppress the flooding of requests.
//
// The packet follows the port's VLAN tag, if the frame has one. A packet after a second tag belongs
// to a VLAN within that VLAN and is not read. A question is a request to all stations, or to the
// solicited-node group of its target, for an address other than the sender's own. These are not
// questions: a probe, whose sender has no address yet (only the owner answers duplicate address
// detection), an announcement, and a request to one station.
// Bound: reads some headers, all within the octets (fuzzed). Not here: checksums and options, which
// concern the station that answers; packets after IPv6 extension headers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dataplane/types/address.h"
#include "dataplane/types/ip_address.h"

namespace sluice {

struct NeighbourPacket {
    std::optional<IpAddress> target;  // target of a question; none in other packets
    std::optional<IpAddress> sender;  // address that the packet announces for `mac`
    MacAddress mac = {};              // source address of the frame
    std::optional<bool> router;       // router flag of an advertisement; none in other packets
};

// Returns the packet, or none if the frame is not such a packet. `tagged`: the frame has a tag of
// its port's type.
std::optional<NeighbourPacket> read_neighbour_packet(std::span<const uint8_t> octets, bool tagged);

}  // namespace sluice

// NeighbourDiscovery: neighbour solicitations and advertisements (RFC 4861 4.3, 4.4), over
// Ethernet.
//
// A packet is read from a whole frame without a tag, if it passes the checks of a host (7.1.1,
// 7.1.2). The hop limit is 255, the checksum is correct, and no option has length 0. A solicitation
// is sent to its target or the target's solicited-node group (RFC 4291 2.7.1); a solicitation with
// source 0 is sent to that group only, and has no link-layer address option. An advertisement to a
// group is not marked as solicited. Of the options only the link-layer address is read. Packets are
// written with that option if `has_link_layer_address`.
// Bound: the octets of the frame, once.
// Not done here: routers' packets, redirects, SEND (RFC 3971).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dataplane/types/address.h"
#include "dataplane/types/ip_address.h"

namespace sluice::neighbours {

struct Solicitation {
    Ipv6Address source;  // 0: duplicate address detection (RFC 4862 5.4)
    Ipv6Address target;
    MacAddress mac;  // MAC address of the sender
    bool has_link_layer_address =
        true;  // false: `mac` is the frame's source, to which only the answer is sent
};

struct Advertisement {
    Ipv6Address target;
    MacAddress mac;  // MAC address of the target
    bool has_link_layer_address =
        true;  // false: `mac` is the frame's source, which only confirms a known neighbour
    bool solicited = true;  // the advertisement answers a solicitation
    bool overrides = true;  // the advertisement replaces a known address
    bool router = false;    // the target is a router
};

std::optional<Solicitation> read_solicitation(std::span<const uint8_t> octets);
std::optional<Advertisement> read_advertisement(std::span<const uint8_t> octets);

// Returns a solicitation that is sent to `to`, or to the target's solicited-node group if `to` is
// empty.
std::vector<uint8_t> write_solicitation(const Solicitation& packet, std::optional<MacAddress> to);
// Returns an advertisement to the station that sent `asked`, marked as solicited. If that station
// has no address yet, the advertisement is sent to all nodes and is not marked as solicited.
std::vector<uint8_t> write_advertisement(const Advertisement& packet, const Solicitation& asked);

}  // namespace sluice::neighbours

// NeighbourDiscovery: solicitations and advertisements of a neighbour (RFC 4861 4.3, 4.4), over
// Ethernet.
//
// A packet is read from a whole frame without a tag, if it passes the checks of a host (7.1.1,
// 7.1.2). The hop limit is 255, the checksum is right, and no option has length 0. A solicitation
// is sent to its target or the target's solicited-node group (RFC 4291 2.7.1); if its source is 0,
// to the group, without a link-layer option. An advertisement to a group is not marked as
// solicited. Of the options only the link-layer address is read. Packets are written with that
// option if `has_link_layer_address`, to the requesting station or the group.
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
    MacAddress mac;  // of who asks
    bool has_link_layer_address =
        true;  // else that is the frame's source: where to answer, and no more
};

struct Advertisement {
    Ipv6Address target;
    MacAddress mac;  // of the target
    bool has_link_layer_address =
        true;               // else that is the frame's source, and who is known is there still
    bool solicited = true;  // it is an answer
    bool overrides = true;  // what was known of it
    bool router = false;    // it is one
};

std::optional<Solicitation> read_solicitation(std::span<const uint8_t> octets);
std::optional<Advertisement> read_advertisement(std::span<const uint8_t> octets);

// `to`: the target, if it is known; else its group is asked.
std::vector<uint8_t> write_solicitation(const Solicitation& packet, std::optional<MacAddress> to);
// To who asked, solicited; to all who are there, and not, if that has no address yet.
std::vector<uint8_t> write_advertisement(const Advertisement& packet, const Solicitation& asked);

}  // namespace sluice::neighbours

// Query: a query of IGMP or MLD as the octets of a frame without a tag.
//
// IGMP: version 2 (RFC 2236 2) or 3 (RFC 3376 4.1), with the router alert option and TTL 1, to all
// hosts or to the queried group. MLD: version 1 (RFC 2710 3) or 2 (RFC 3810 5.1), with the router
// alert in a hop-by-hop header and hop limit 1, from the link-local address of the sender's MAC.
// Bound: 90 octets, and no allocation except for these octets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/forward/multicast/membership_message.h"
#include "dataplane/types/address.h"
#include "dataplane/types/settings.h"
#include "dataplane/types/units.h"

namespace sluice::querier {

struct Query {
    GroupProtocol protocol = GroupProtocol::igmp;
    uint8_t version = 3;  // IGMP: 2 or 3; MLD: 1 or 2
    MacAddress mac;       // MAC address of the sender
    Ipv4Address ipv4;     // IPv4 address of the sender, for IGMP; 0: the sender has none
    GroupSource group;    // the queried group; 0: all groups
    Nanos response;       // time in which hosts answer
    Nanos interval;       // time between general queries
};

std::vector<uint8_t> frame_of(const Query& query);

// Returns the sender's address in elections: the IPv4 address, or the link-local address of the
// MAC.
GroupSource address_of(const Query& query);
// Returns the address as text.
std::string text_of(GroupProtocol protocol, const GroupSource& address);
constexpr std::string_view name_of(GroupProtocol protocol) {
    return protocol == GroupProtocol::igmp ? "IGMP" : "MLD";
}

}  // namespace sluice::querier

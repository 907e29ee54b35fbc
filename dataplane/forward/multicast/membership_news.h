// MembershipNews: what a worker snooped of IGMP and MLD in a VLAN that control queries
// (`multicast.querier`): queries of other queriers, whose addresses decide the election of the
// querier, and leaves, after which control queries for remaining listeners behind the port.
// Bound: 32 octets.
#pragma once

#include <cstdint>

#include "dataplane/forward/multicast/membership_message.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice {

struct MembershipNews {
    enum class Kind : uint8_t { query, leave };

    GroupSource address;      // of who queries, or of the group that somebody left
    uint32_t interval_s = 0;  // between its general queries, as it says; 0: it does not
    VlanId vlan = 0;
    PortIndex port = 0;  // bridge port
    Kind kind = Kind::query;
    GroupProtocol protocol = GroupProtocol::igmp;
};

}  // namespace sluice

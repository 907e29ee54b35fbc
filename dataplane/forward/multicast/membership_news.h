// MembershipNews: an IGMP or MLD message that a worker snooped in a VLAN that control queries
// (`multicast.querier`): a query of another querier, whose address decides the election of the
// querier; or a leave, after which control queries for remaining listeners at the port.
// Bound: 32 octets.
#pragma once

#include <cstdint>

#include "dataplane/forward/multicast/membership_message.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice {

struct MembershipNews {
    enum class Kind : uint8_t { query, leave };

    GroupSource address;      // address of the querier, or of the group of a leave
    uint32_t interval_s = 0;  // query interval in the query; 0: none
    VlanId vlan = 0;
    PortIndex port = 0;  // bridge port
    Kind kind = Kind::query;
    GroupProtocol protocol = GroupProtocol::igmp;
};

}  // namespace sluice

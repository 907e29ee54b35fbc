// Regroup: replaces the aggregations by those of new settings, so that members that stay together
// keep their LACP state, even if the aggregation is renamed or moves in the list.
//
// A new aggregation continues the old one with which it shares most ports, and keeps its key:
// another key would detach every member (802.1AX-2014 6.4.14). The pairs with most common ports are
// matched first, so that a new aggregation that only takes one port of an old one does not continue
// the old one. A port that moves between aggregations keeps its statistics and its partner's
// information, and is selected anew.
// Bound: O(before x next), and O(members x members).
// Not done here: links; notifying partners of ports that left (manager.h).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "control/lacp/aggregator.h"
#include "dataplane/types/address.h"
#include "dataplane/types/limits.h"

namespace sluice::lacp {

struct Wanted {
    AggregatorSettings settings;  // the settings without the key
    PortSet ports = 0;            // the ports of the aggregation; none is in another aggregation
};

// For each new aggregation, the index of the old one that it continues; empty: none.
using Predecessors = std::vector<std::optional<std::size_t>>;
Predecessors predecessors(std::span<const Aggregator> before, std::span<const Wanted> next);

struct Regrouped {
    std::vector<Aggregator> aggregators;   // in the order of `next`
    PortSet begun = 0;                     // ports that were in no aggregation before
    std::vector<Aggregator::Member> gone;  // members that are in no aggregation now
};
Regrouped regroup(std::vector<Aggregator> before, std::span<const Wanted> next,
                  std::span<const MacAddress> addresses);

}  // namespace sluice::lacp

// Regroup: makes the aggregations that there are from now on of those that there were, so that a
// member that stays with others goes on as it is, whatever its aggregation is called and wherever
// that stands in a list.
//
// An aggregation goes on as the one with which it shares most ports, and keeps its key: changed, it
// would detach every member (802.1AX-2014 6.4.14). Those that share most are found first, so that
// one that takes a port of another does not take its place. A port that comes from another
// aggregation keeps its statistics and what it knows of its partner, and is selected anew.
// Bound: O(before x next), and O(members x members).
// Not done here: links, and who tells partners of those that are gone (manager.h).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "control/lacp/aggregator.h"
#include "dataplane/address.h"
#include "dataplane/limits.h"

namespace sluice::lacp {

struct Wanted {
    AggregatorSettings settings;  // but for the key
    PortSet ports = 0;            // in no other
};

// By `next`, the index of the one in `before` that it goes on as.
using Predecessors = std::vector<std::optional<std::size_t>>;
Predecessors predecessors(std::span<const Aggregator> before, std::span<const Wanted> next);

struct Regrouped {
    std::vector<Aggregator> aggregators;   // as in `next`
    PortSet begun = 0;                     // that were in none before
    std::vector<Aggregator::Member> gone;  // that are in none now
};
Regrouped regroup(std::vector<Aggregator> before, std::span<const Wanted> next,
                  std::span<const MacAddress> addresses);

}  // namespace sluice::lacp

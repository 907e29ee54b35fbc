// Grants: simulates the credits that egress ports give to the virtual output queues of ingress
// slices, and the cells that these credits let through.
//
// Once every `interval` the scheduler gives one credit of `quantum` octets for one egress port.
// Egress ports take turns. A port is skipped if its buffered octets, its granted octets that have
// not arrived, and another credit together exceed its `buffer`. The policy chooses the ingress
// port:
//   slice   the slices take turns, and within a slice its ports
//   port    all ports take turns, regardless of their slices
// A VOQ sends a cell once its credit covers the cell. A round trip is the time from giving a credit
// until the cell that the credit lets through reaches the egress port. The fabric to an egress port
// is `speed_up` times as fast as the port. Every ingress port always has data for every egress
// port, so only the egress is a bottleneck.
// Bound: time advances in steps of one interval; the cost of a step grows with the egress ports.
// Follows notes on flow control, credits between ingress and egress.
#pragma once

#include <cstdint>
#include <vector>

#include "dataplane/types/units.h"
#include "tools/sim/network/picos.h"

namespace sluice::sim {

enum class GrantPolicy : uint8_t { slice, port };

struct GrantSettings {
    GrantPolicy policy = GrantPolicy::slice;
    std::vector<unsigned> slices = {2, 1};  // number of ingress ports of each slice
    unsigned egress_ports = 1;              // egress ports that share the scheduler's credits
    BitsPerSecond speed{400'000'000'000};
    unsigned speed_up_1000 = 1050;
    Bytes cell{256};
    Bytes quantum{256};
    Picos interval{2'000};
    Picos rtt{800'000};
    // Buffer of an egress port, for granted and buffered octets; 0 means buffer_for(settings).
    Bytes buffer{0};
    Picos time{100'000'000};
    Picos stops_at{INT64_MAX};  // time from which egress ports send nothing
};

// Returns the octets that a port sends in a round trip.
Bytes one_bdp(const GrantSettings& settings);
// Returns the sum of one_bdp, a credit, and a cell for each VOQ, since a VOQ may hold credit for
// part of a cell.
Bytes buffer_for(const GrantSettings& settings);

struct GrantOutcome {
    std::vector<double> shares;  // share of each ingress port in the arrived octets, slice by slice
    double utilisation = 0;      // mean of the egress ports, after two round trips, until stops_at
    double fabric_load = 0;      // share of the fabric's rate that arrivals took in that time
    Bytes most_outstanding;  // most octets granted by one egress port that have not arrived there
    Bytes most_buffered;     // most octets buffered at any egress port
    uint64_t credits = 0;
    Bytes buffer;
};
GrantOutcome simulate(const GrantSettings& settings);

}  // namespace sluice::sim
